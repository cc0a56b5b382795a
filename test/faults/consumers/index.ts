/** Kills writers, consumers and the database while changes are handled, and compares the rows of the handlers with the log. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker } from "../../../lib/index.ts";
import type { Database } from "../../support/database.ts";
import { within } from "../../support/within.ts";
import { assertHandled, readLog } from "./check.ts";
import { handledTables, type Role } from "./roles.ts";

/** How much is written and broken. */
export interface Extent {
  changes: number;
  killsOfEach: number;
  killsOfDatabase: number;
}

const roles: readonly Role[] = ["write", "write", "write", "consume", "consume", "consume"];
const tables = Object.values(handledTables);

/** Longer than the leases of the consumers. */
const frozenMs = 3_000;
/** For all changes to be handled after the last harm. */
const patienceMs = 120_000;

export async function killConsumers(database: Database, extent: Extent): Promise<{ statuses: Record<string, number> }> {
  const url = await database.createDatabase();
  const pool = mysql.createPool(url);
  await prepare(url, pool);
  const children = roles.map((role) => start(url, role));
  try {
    const harms = await harm(database, pool, children, url, extent);
    for (const child of children.slice(0, 3)) await kill(child);
    await within(patienceMs, "all changes being handled", waitUntilHandled(pool));
    for (const child of children) await kill(child);
    const log = await readLog(pool);
    await assertHandled(pool, handledTables.reward, log, { once: true });
    const repeats = await assertHandled(pool, handledTables.mail, log, { once: false });
    return { statuses: { ...harms, changes: await countRows(pool, "whodid_changes"), repeats } };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await pool.end();
  }
}

async function prepare(url: string, pool: Pool): Promise<void> {
  for (const table of tables) {
    await pool.query(
      `CREATE TABLE ${table} (number BIGINT AUTO_INCREMENT PRIMARY KEY, contact_id CHAR(36), change_id CHAR(36)) ENGINE=InnoDB`,
    );
  }
  const storage = mysqlStorage(url);
  await storage.migrate();
  const tracker = createTracker({ storage });
  for (let n = 0; n < 40; n++) await tracker.contacts.upsert({ email: `c${n}@example.com` });
  for (const key of Object.keys(handledTables)) {
    const { startsAt } = await tracker.subscriptions.define({ key, on: { events: true } });
    await sleep(Math.max(0, Date.parse(startsAt) - Date.now()));
  }
  await tracker.close();
}

/** Kills each process, the database, and freezes consumers, in equal steps of the changes. */
async function harm(
  database: Database,
  pool: Pool,
  children: ChildProcess[],
  url: string,
  { changes, killsOfEach, killsOfDatabase }: Extent,
): Promise<Record<string, number>> {
  const steps = killsOfEach * roles.length;
  for (let step = 0; step < steps; step++) {
    await waitForEvents(pool, ((step + 1) / (steps + 1)) * changes);
    const index = step % roles.length;
    if (index === 0) await freeze(children[3 + (step % 3)]!);
    await kill(children[index]!);
    // The processes have ended.
    children[index] = start(url, roles[index]!);
    if ((step + 1) % Math.ceil(steps / killsOfDatabase) === 0) {
      await database.kill9();
      await sleep(1_000);
      await database.restart();
    }
  }
  await waitForEvents(pool, changes);
  return { kills: steps, databaseKills: killsOfDatabase };
}

function start(url: string, role: Role): ChildProcess {
  return fork(join(import.meta.dirname, `process${extname(import.meta.filename)}`), [url, role], { execArgv: [] });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Stops a consumer past its lease, and continues it while its successor works. */
async function freeze(child: ChildProcess): Promise<void> {
  child.kill("SIGSTOP");
  await sleep(frozenMs);
  child.kill("SIGCONT");
}

async function waitForEvents(pool: Pool, count: number): Promise<void> {
  await within(
    patienceMs,
    `${count} events`,
    (async () => {
      while ((await countRows(pool, "whodid_events")) < count) await sleep(100);
    })(),
  );
}

/** Waits until the outbox is empty, and each table has as many changes as the log. */
async function waitUntilHandled(pool: Pool): Promise<void> {
  for (;;) {
    const logged = await countRows(pool, "whodid_changes");
    const waiting = await countRows(pool, "whodid_outbox");
    const handled = await Promise.all(tables.map((table) => countRows(pool, table, "DISTINCT change_id")));
    if (waiting === 0 && handled.every((count) => count >= logged)) return;
    await sleep(200);
  }
}

async function countRows(pool: Pool, table: string, what = "*"): Promise<number> {
  const [[row]] = await pool.query<RowDataPacket[]>(`SELECT COUNT(${what}) AS count FROM ${table}`);
  return Number(row!["count"]);
}
