import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mysql2";
import { refuseOthers } from "../../lib/model/arguments.ts";
import { errors, execute, type SessionPool } from "./connection/index.ts";
import {
  createMigrations,
  findMigrated,
  findSchema,
  insertMigrated,
  lockMigrations,
  migrations,
  unlockMigrations,
} from "./migrations/index.ts";
import { createViews, type Row } from "./sql/index.ts";
import { newRetryState, nextPauseMs } from "./transactions/index.ts";

/** The table, column, index or row exists already: another process has created it. */
const existsAlready = new Set([1050, 1060, 1061, 1062]);
const noSuchTable = 1146;
/** Galera interrupts a statement that is in the way of another node's DDL statement. */
const interrupted = 1317;

/** The choices of `migrate`. */
export interface MigrateOptions {
  /** Whether to create or replace the views for plain SQL too; `false` by default. */
  views?: boolean;
}

export function assertPrefix(tablePrefix: string): void {
  if (!/^[A-Za-z0-9_]{0,40}$/.test(tablePrefix)) throw new RangeError("tablePrefix is letters, digits and underscores");
}

/** Returns the SQL that `migrate` runs on an empty database. Needs no database. */
export function mysqlMigrations(options: { tablePrefix?: string } & MigrateOptions = {}): string {
  const { tablePrefix: prefix = "whodid_", views = false, ...rest } = options;
  refuseOthers("mysqlMigrations", rest);
  assertPrefix(prefix);
  const steps = migrations.flatMap((migration, index) => [migration(prefix), insertMigrated(prefix, index + 1)]);
  return [createMigrations(prefix), ...steps, ...(views ? createViews(prefix) : [])]
    .map((statement) => `${statement};\n`)
    .join("\n");
}

/**
 * Migrates the schema. Several processes can run it at once, because an object that exists already counts as a success. If
 * the schema is current or newer, it writes nothing and needs no right to create tables. Resolves with the numbers of the migrations
 * that it ran.
 */
export async function migrate(
  sessions: SessionPool,
  prefix: string,
  { views = false, ...rest }: MigrateOptions,
): Promise<number[]> {
  refuseOthers("migrate", rest);
  const migrated = await sessions.use(({ connection }) => countMigrated(connection, prefix)).catch(rethrow);
  const isCurrent = migrated >= migrations.length;
  const ran = isCurrent ? [] : await sessions.use(({ connection }) => bringUpToDate(connection, prefix)).catch(rethrow);
  if (!views) return ran;
  const replaceViews = async (connection: Connection): Promise<void> => {
    for (const statement of createViews(prefix)) await retryOnConflict(connection, statement);
  };
  await sessions.use(({ connection }) => replaceViews(connection)).catch(rethrow);
  return ran;
}

async function bringUpToDate(connection: Connection, prefix: string): Promise<number[]> {
  const [row] = (await send(connection, findSchema)) as Row[];
  // A SELECT without a table returns one row.
  const schema = String(row!.name);
  // The lock only saves work: Galera has no such lock, and there every process runs all migrations.
  await send(connection, lockMigrations(schema, prefix)).catch(() => {});
  try {
    await run(connection, createMigrations(prefix));
    const migrated = await countMigrated(connection, prefix);
    const missing = [...migrations.keys()].map((index) => index + 1).slice(migrated);
    for (const number of missing) {
      await run(connection, migrations[number - 1]!(prefix));
      await run(connection, insertMigrated(prefix, number));
    }
    return missing;
  } finally {
    await send(connection, unlockMigrations(schema, prefix)).catch(() => {});
  }
}

async function countMigrated(connection: Connection, prefix: string): Promise<number> {
  try {
    const [row] = (await retryOnConflict(connection, findMigrated(prefix))) as Row[];
    return Number(row?.number ?? 0);
  } catch (error) {
    if (errors.numberOf(error) === noSuchTable) return 0;
    throw error;
  }
}

async function run(connection: Connection, sql: string): Promise<void> {
  try {
    await retryOnConflict(connection, sql);
  } catch (error) {
    if (!existsAlready.has(errors.numberOf(error))) throw error;
  }
}

/** Runs the statement, and retries it for 5 s on conflicts: on Galera, concurrent DDL statements fail with 1213 or 1317. */
async function retryOnConflict(connection: Connection, sql: string): ReturnType<typeof send> {
  const state = newRetryState();
  for (;;) {
    try {
      return await send(connection, sql);
    } catch (error) {
      const mayPass = errors.isKnownFailure(error) || errors.numberOf(error) === interrupted;
      if (!mayPass || performance.now() >= state.until) throw error;
      await sleep(nextPauseMs(state));
    }
  }
}

function send(connection: Connection, sql: string): ReturnType<typeof execute> {
  return execute(connection, { name: "migrate", sql, values: [] });
}

function rethrow(error: unknown): never {
  throw errors.translate(error);
}
