import assert from "node:assert/strict";
import type { Pool, RowDataPacket } from "mysql2/promise";

/** A change of the log, or one that a handler has handled. */
interface Line {
  contact: string;
  change: string;
}

/** Asserts that the log has a change for each event, once. Resolves with the changes of each contact, in their order. */
export async function readLog(pool: Pool): Promise<ReadonlyMap<string, readonly string[]>> {
  const logged = await readLines(pool, "SELECT contact_id, change_id FROM whodid_changes ORDER BY position");
  const events = await readLines(pool, "SELECT contact_id, id AS change_id FROM whodid_events");
  assert.deepEqual(sorted(logged), sorted(events), "every event has one change");
  return groupByContact(logged);
}

/**
 * Asserts that each change of the log was handled, and those of a contact in the order of the log. With `once`, no change was handled
 * twice. Resolves with the number of repeats.
 */
export async function assertHandled(
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
  const groups = new Map<string, string[]>();
  for (const { contact, change } of lines) {
    const group = groups.get(contact);
    if (group) group.push(change);
    else groups.set(contact, [change]);
  }
  return groups;
}

function sorted(lines: readonly Line[]): string[] {
  return lines.map(({ contact, change }) => `${contact} ${change}`).sort();
}
