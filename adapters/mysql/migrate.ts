import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mysql2";
import { execute, isKnownFailure, numberOf, translate, type SessionPool } from "./connection/index.ts";
import {
  createMigrations,
  findMigrated,
  findSchema,
  insertMigrated,
  lockMigrations,
  migrations,
  unlockMigrations,
} from "./migrations/index.ts";
import type { Row } from "./sql/index.ts";
import { newRetryState, nextPauseMs } from "./transactions/index.ts";

/** Table, column or index there already; row there already: another runner was faster. */
const existsAlready = new Set([1050, 1060, 1061, 1062]);
const noSuchTable = 1146;

/** The statements that make the tables, each ended by a semicolon: for who may not let the program make them. */
export function printMigrations(prefix: string): string {
  const steps = migrations.flatMap((migration, index) => [migration(prefix), insertMigrated(prefix, index + 1)]);
  return [createMigrations(prefix), ...steps].map((statement) => `${statement};\n`).join("\n");
}

/**
 * Brings the schema up to date. Runners that meet converge, because what exists already is a success. When the schema is
 * current, or newer than this version, nothing is written and no right to create tables is needed.
 */
export async function migrate(sessions: SessionPool, prefix: string): Promise<void> {
  const migrated = await sessions.use(({ connection }) => countMigrated(connection, prefix)).catch(rethrow);
  if (migrated >= migrations.length) return;
  await sessions.use(({ connection }) => bringUpToDate(connection, prefix)).catch(rethrow);
}

async function bringUpToDate(connection: Connection, prefix: string): Promise<void> {
  const [row] = (await send(connection, findSchema)) as Row[];
  const schema = String(row!.name);
  // Only saves the others work; where there is no such lock (Galera), they do it all.
  await send(connection, lockMigrations(schema, prefix)).catch(() => {});
  try {
    await run(connection, createMigrations(prefix));
    const migrated = await countMigrated(connection, prefix);
    for (let number = migrated + 1; number <= migrations.length; number++) {
      await run(connection, migrations[number - 1]!(prefix));
      await run(connection, insertMigrated(prefix, number));
    }
  } finally {
    await send(connection, unlockMigrations(schema, prefix)).catch(() => {});
  }
}

async function countMigrated(connection: Connection, prefix: string): Promise<number> {
  try {
    const [row] = (await send(connection, findMigrated(prefix))) as Row[];
    return Number(row!.number ?? 0);
  } catch (error) {
    if (numberOf(error) === noSuchTable) return 0;
    throw error;
  }
}

/** Runs the statement, for 5 s again and again while others keep it from running: Galera answers 1213 where DDL meets DDL. */
async function run(connection: Connection, sql: string): Promise<void> {
  const state = newRetryState();
  for (;;) {
    try {
      await send(connection, sql);
      return;
    } catch (error) {
      if (existsAlready.has(numberOf(error))) return;
      if (!isKnownFailure(error) || performance.now() >= state.until) throw error;
      await sleep(nextPauseMs(state));
    }
  }
}

function send(connection: Connection, sql: string): ReturnType<typeof execute> {
  return execute(connection, { name: "migrate", sql, values: [] });
}

function rethrow(error: unknown): never {
  throw translate(error);
}
