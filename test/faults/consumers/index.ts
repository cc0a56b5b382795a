/** Kills writers, consumers and the database while changes are handled, and compares the rows of the handlers with the log. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../../lib/index.ts";
import { within } from "../../support/within.ts";
import { assertHandled, readLog } from "./check.ts";
import { patienceMs, startProcesses, type Processes } from "./processes.ts";
import { handledTables, roles } from "./roles.ts";

/** How much is written and broken. */
export interface Extent {
  changes: number;
  killsOfEach: number;
  killsOfDatabase: number;
}

/** The database, or the nodes of one. */
export interface Servers {
  /** The processes use them in turn. */
  urls: readonly string[];
  /** Kills the database or a node. */
  kill(): Promise<void>;
  /** Resolves when all changes can be read through every URL. */
  settle(): Promise<void>;
}

const keys = Object.keys(handledTables) as (keyof typeof handledTables)[];
const tables = Object.values(handledTables);

export async function killConsumers(servers: Servers, extent: Extent): Promise<{ statuses: Record<string, number> }> {
  const [url] = servers.urls as [string];
  const pool = mysql.createPool(url);
  const tracker = createTracker({ storage: mysqlStorage(url), onError: () => {} });
  await prepare(tracker, pool, url);
  const began = performance.now();
  const processes = startProcesses(servers.urls);
  const releasing = startReleasing(tracker);
  try {
    const harms = await harm(servers, pool, processes, extent);
    await processes.kill("write");
    await servers.settle();
    await waitUntilHandled(pool);
    const seconds = (performance.now() - began) / 1_000;
    await processes.kill();
    const counts = await check(servers.urls);
    const parked = await releasing.stop();
    assert.ok(parked > 0, "contacts were parked");
    return { statuses: { ...harms, ...counts, parked, "changes/s": Math.round(counts["changes"]! / seconds) } };
  } finally {
    await releasing.stop();
    await processes.kill();
    await tracker.close();
    await pool.end();
  }
}

async function prepare(tracker: Tracker, pool: Pool, url: string): Promise<void> {
  for (const table of tables) {
    await pool.query(
      `CREATE TABLE ${table} (number BIGINT AUTO_INCREMENT PRIMARY KEY, contact_id CHAR(36), change_id CHAR(36), process_id INT,
KEY (change_id)) ENGINE=InnoDB`,
    );
  }
  const storage = mysqlStorage(url);
  await storage.migrate();
  await storage.close();
  for (let n = 0; n < 40; n++) await tracker.contacts.upsert({ email: `c${n}@example.com` });
  for (const key of keys) {
    const { startsAt } = await tracker.subscriptions.define({ key, on: { events: true } });
    await sleep(Math.max(0, Date.parse(startsAt) - Date.now()));
  }
}

/** Kills each process and the database, and stops consumers, in equal steps of the changes. */
async function harm(
  servers: Servers,
  pool: Pool,
  processes: Processes,
  { changes, killsOfEach, killsOfDatabase }: Extent,
): Promise<Record<string, number>> {
  const counts = { kills: 0, "taken over": 0, "database kills": 0 };
  const steps = killsOfEach * roles.length;
  const stepsPerDatabase = Math.floor(steps / (killsOfDatabase + 1));
  for (let step = 0; step < steps; step++) {
    await waitForEvents(pool, ((step + 1) / (steps + 1)) * changes);
    const index = step % roles.length;
    if (index === 0) {
      await processes.stopUntilTakenOver(3 + ((step / roles.length) % 3), pool);
      counts["taken over"]++;
    }
    await processes.replace(index);
    counts.kills++;
    if ((step + 1) % stepsPerDatabase === 0 && counts["database kills"] < killsOfDatabase) {
      await servers.kill();
      counts["database kills"]++;
    }
  }
  await waitForEvents(pool, changes);
  return counts;
}

/** Retries what is parked, and counts that. */
function startReleasing(tracker: Tracker): { stop(): Promise<number> } {
  const stopping = new AbortController();
  let count = 0;
  const releasing = (async () => {
    for (; !stopping.signal.aborted; await sleep(500)) {
      // The database is killed: it is unreachable now and then.
      for (const key of keys) count += await retryParked(tracker, key).catch(() => 0);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await releasing;
      return count;
    },
  };
}

async function retryParked({ subscriptions }: Tracker, key: string): Promise<number> {
  const { items } = await subscriptions.parked(key);
  for (const { changeId } of items) await subscriptions.retry(key, changeId);
  return items.length;
}

/** Compares the rows of every node. Resolves with the counts of the first. */
async function check(urls: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number>[] = [];
  for (const url of urls) {
    const pool = mysql.createPool(url);
    const log = await readLog(pool);
    await assertHandled(pool, handledTables.reward, log, { once: true });
    const repeats = await assertHandled(pool, handledTables.mail, log, { once: false });
    counts.push({ changes: await countRows(pool, "whodid_changes"), repeats });
    await pool.end();
  }
  for (const other of counts) assert.deepEqual(other, counts[0]);
  return counts[0]!;
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

/** Waits until the outbox is empty, and each table has as many changes as the log. Rejects when no change is handled for a time. */
async function waitUntilHandled(pool: Pool): Promise<void> {
  for (let best = 0, since = performance.now(); ; await sleep(200)) {
    const logged = await countRows(pool, "whodid_changes");
    const waiting = await countRows(pool, "whodid_outbox");
    const handled = await Promise.all(tables.map((table) => countRows(pool, table, "DISTINCT change_id")));
    if (waiting === 0 && handled.every((count) => count >= logged)) return;
    const sum = handled.reduce((total, count) => total + count, 0);
    if (sum > best) [best, since] = [sum, performance.now()];
    assert.ok(performance.now() - since < patienceMs, `${handled.join(" and ")} of ${logged} changes were handled`);
  }
}

async function countRows(pool: Pool, table: string, what = "*"): Promise<number> {
  const [[row]] = await pool.query<RowDataPacket[]>(`SELECT COUNT(${what}) AS count FROM ${table}`);
  return Number(row!["count"]);
}
