import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { groupBy } from "../groups.ts";
import { patienceMs } from "./processes.ts";
import { handledTables } from "./roles.ts";
import { countRows } from "./rows.ts";

/** Waits until the outbox is empty, and each table has as many changes as the log. Rejects when no change is handled for a time. */
export async function waitUntilHandled(url: string): Promise<void> {
  await withPool(url, untilHandled);
}

async function withPool<Result>(url: string, run: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = mysql.createPool(url);
  try {
    return await run(pool);
  } finally {
    await pool.end();
  }
}

async function untilHandled(pool: Pool): Promise<void> {
  for (let best = 0, since = performance.now(); ; await sleep(200)) {
    const logged = await countRows(pool, "whodid_changes");
    const waiting = await countRows(pool, "whodid_outbox");
    const handled = await Promise.all(
      Object.values(handledTables).map((table) => countRows(pool, table, "DISTINCT change_id")),
    );
    if (waiting === 0 && handled.every((count) => count >= logged)) return;
    const sum = handled.reduce((total, count) => total + count, 0);
    if (sum > best) [best, since] = [sum, performance.now()];
    assert.ok(performance.now() - since < patienceMs, `${handled.join(" and ")} of ${logged} changes were handled`);
  }
}

/** Compares the rows of every node. Resolves with the counts of the first. */
export async function checkNodes(urls: readonly string[]): Promise<{ changes: number; repeats: number }> {
  const checked = [];
  for (const url of urls) checked.push(await withPool(url, check));
  for (const other of checked) assert.deepEqual(other, checked[0]);
  return checked[0]!;
}

async function check(pool: Pool): Promise<{ changes: number; repeats: number }> {
  const log = await readLog(pool);
  await assertHandled(pool, handledTables.reward, log, { once: true });
  const repeats = await assertHandled(pool, handledTables.mail, log, { once: false });
  return { changes: await countRows(pool, "whodid_changes"), repeats };
}

/** A change of the log, or one that a handler has handled. */
interface Line {
  contact: string;
  change: string;
}

/** Asserts that the log has a change for each event, once. Resolves with the changes of each contact, in their order. */
async function readLog(pool: Pool): Promise<ReadonlyMap<string, readonly string[]>> {
  const logged = await readLines(pool, "SELECT contact_id, change_id FROM whodid_changes ORDER BY position");
  const events = await readLines(pool, "SELECT contact_id, id AS change_id FROM whodid_events");
  assert.deepEqual(sorted(logged), sorted(events), "every event has one change");
  return groupByContact(logged);
}

/**
 * Asserts that each change of the log was handled, and those of a contact in the order of the log. With `once`, no change was handled
 * twice. Resolves with the number of repeats.
 */
async function assertHandled(
  pool: Pool,
  table: string,
  log: ReadonlyMap<string, readonly string[]>,
  { once }: { once: boolean },
): Promise<number> {
  const sql = `SELECT UNHEX(REPLACE(contact_id, '-', '')) AS contact_id, UNHEX(REPLACE(change_id, '-', '')) AS change_id
FROM ${table} ORDER BY number`;
  const lines = await readLines(pool, sql);
  const handled = groupByContact(lines);
  const total = [...log.values()].reduce((sum, changes) => sum + changes.length, 0);
  if (once) assert.equal(lines.length, total, `${table} has each change once`);
  for (const [contact, changes] of log) {
    // The first time that each change was handled.
    assert.deepEqual([...new Set(handled.get(contact))], changes, `${table} has the changes of a contact in order`);
  }
  return lines.length - total;
}

async function readLines(pool: Pool, sql: string): Promise<Line[]> {
  const [rows] = await pool.query<RowDataPacket[]>(sql);
  const hex = (bytes: unknown): string => (bytes as Buffer).toString("hex");
  return rows.map((row) => ({ contact: hex(row["contact_id"]), change: hex(row["change_id"]) }));
}

function groupByContact(lines: readonly Line[]): Map<string, string[]> {
  const groups = groupBy(lines, ({ contact }) => contact);
  return new Map([...groups].map(([contact, found]) => [contact, found.map(({ change }) => change)]));
}

function sorted(lines: readonly Line[]): string[] {
  return lines.map(({ contact, change }) => `${contact} ${change}`).sort();
}
