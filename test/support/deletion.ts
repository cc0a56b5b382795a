import assert from "node:assert/strict";
import type { RowDataPacket } from "mysql2/promise";
import { createTracker, type Contact } from "../../lib/index.ts";
import type { OpenedMysql } from "./mysql.ts";

// With the redo log that servers have by default: in the throwaway one's small log everybody waits for writing it out.
export const deletionServer: string[] = ["--loose-innodb-log-file-size=96M", "--loose-innodb-redo-log-capacity=100M"];

/** Where the value stands, as `table.column`, in any column of any table. */
export async function findEverywhere({ pool, url }: OpenedMysql, values: (string | Buffer)[]): Promise<string[]> {
  const [columns] = await pool.query<RowDataPacket[]>(
    "SELECT TABLE_NAME AS t, COLUMN_NAME AS c FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ?",
    [new URL(url).pathname.slice(1)],
  );
  const found: string[] = [];
  for (const { t, c } of columns as { t: string; c: string }[]) {
    for (const value of values) {
      const [rows] = await pool.query<RowDataPacket[]>(
        `SELECT 1 FROM ${t} WHERE LOCATE(CAST(? AS BINARY), CAST(${c} AS BINARY)) > 0 LIMIT 1`,
        [value],
      );
      if (rows.length > 0) found.push(`${t}.${c}`);
    }
  }
  return found;
}

/**
 * Deletes one of 41 contacts, whose events lie among four times as many of the others, while those are written to. Asserts that it
 * goes without a trace and the others lose nothing. Resolves with the number of writes.
 */
export async function deleteAmongWrites(opened: OpenedMysql, eventsOfOne: number): Promise<number> {
  const tracker = createTracker({ storage: opened.storage });
  const make = async (name: string): Promise<Contact> =>
    (await tracker.contacts.upsert({ email: `${name}@example.com`, externalId: `u_${name}` })).contact;
  // Made one after another, so that two of them are its neighbours in every index.
  const others: Contact[] = [];
  for (let n = 0; n < 20; n++) others.push(await make(`before${n}`));
  const one = await make("one");
  for (let n = 0; n < 20; n++) others.push(await make(`after${n}`));
  // Its events lie between those of the others, in the table and in its indexes.
  const events = Array.from({ length: 5 * eventsOfOne }, (_, n) =>
    n % 5 === 0
      ? { externalId: "u_one", eventKey: `step_${n % 7}`, idempotencyKey: `k${n}` }
      : { externalId: others[n % others.length]!.externalId, eventKey: `step_${n % 7}` },
  );
  await tracker.events.trackMany(events);

  let deleting = true;
  let writes = 0;
  const write = async (n: number): Promise<void> => {
    for (let round = 0; deleting; round++) {
      const { externalId } = others[(19 + n + round * 4) % others.length]!;
      if (round % 3 === 0) await tracker.contacts.update(externalId, { name: `${n} ${round}` });
      else if (round % 3 === 1) await tracker.events.track({ externalId, eventKey: "beside" });
      else await tracker.contacts.upsert({ email: `new${n}_${round}@example.com` });
      writes++;
    }
  };
  const writers = [0, 1, 2, 3].map(write);
  const receipt = await tracker.contacts.delete("u_one");
  deleting = false;
  await Promise.all(writers);
  assert.deepEqual(receipt, { contactId: one.id, events: eventsOfOne });
  const id = Buffer.from(one.id.replaceAll("-", ""), "hex");
  assert.deepEqual(await findEverywhere(opened, [id, one.id, "one@example.com", "u_one"]), []);
  const [left] = await opened.pool.query<RowDataPacket[]>(
    "SELECT COUNT(*) AS n FROM whodid_events WHERE event_key <> 'beside'",
  );
  assert.equal(left[0]!["n"], 4 * eventsOfOne);
  return writes;
}
