import assert from "node:assert/strict";
import type mysql from "mysql2/promise";
import type { RowDataPacket } from "mysql2/promise";
import { logAll, readAll } from "../../../../adapters/storage-contract/log.ts";
import { accepted, createContact, recordEvent } from "../../../../adapters/storage-contract/calls.ts";
import { rowsUpTo, subscriptionDraft, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const server = await database();
const onMysql = mysqlBy(server);

/** Fills the log with more changes than a read looks at in one step. The subscription `few` takes the first and the last. */
async function fillLog(storage: Storage, pool: mysql.Pool): Promise<void> {
  await storage.putDefinition(subscriptionDraft({ key: "few", on: { events: ["rare"] } }));
  await recordEvent(storage, { eventKey: "rare" });
  await logAll(storage);
  const five = "(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)";
  const digits = Array.from({ length: 7 }, (_, digit) => `${five} t${digit}`).join(" JOIN ");
  const number = Array.from({ length: 7 }, (_, digit) => `t${digit}.n * ${5 ** digit}`).join(" + ");
  await pool.query(`INSERT INTO whodid_changes
SELECT c.workspace, c.position + 1 + ${number}, c.change_id, c.kind, c.contact_id, 'other', c.changed_at, c.body
FROM whodid_changes c JOIN ${digits} WHERE c.kind = 'event_recorded'`);
  await pool.query("UPDATE whodid_change_heads SET position = (SELECT MAX(position) FROM whodid_changes)");
  await recordEvent(storage, { eventKey: "rare" });
  await logAll(storage);
}

/** The end of the log. */
async function endOf(pool: mysql.Pool): Promise<number> {
  const [[head]] = await pool.query<RowDataPacket[]>("SELECT position FROM whodid_change_heads");
  return Number(head!["position"]);
}

/** Runs the test, which no other may run beside: one of them moves the clock. */
function onLongLog(run: (opened: OpenedMysql) => Promise<void>): Promise<void> {
  return onMysql(async (opened) => {
    await createContact(opened.storage);
    await fillLog(opened.storage, opened.pool);
    await run(opened);
  });
}

databaseSuite("a long log of changes on mysql", server, (define) => {
  const test = testsOn(define, onLongLog);
  test("a subscription that takes few of many changes finds them", async ({ storage, pool }) => {
    const { changes, position } = await readAll(storage, { key: "few" });
    assert.equal(changes.length, 2);
    assert.equal(position, await endOf(pool));
  });

  test("a read of a long log ends after some time, and the next one goes on there", async ({ storage, pool }) => {
    const now = performance.now.bind(performance);
    let passed = 0;
    performance.now = () => now() + (passed += 600);
    const first = await storage
      .listChanges(workspace, "few", null, rowsUpTo(100))
      .finally(() => (performance.now = now));
    const { position, rows, more } = accepted(first);
    assert.equal(more, true);
    assert.ok(position < (await endOf(pool)));
    const next = accepted(await storage.listChanges(workspace, "few", position, rowsUpTo(100)));
    assert.deepEqual([rows.length, next.rows.length, next.position], [1, 1, await endOf(pool)]);
  });

  test("a reader that waits is told at most 10,000 changes further on, and at last before the next one that it takes", async (opened) => {
    const { storage } = opened;
    const { rows } = accepted(await storage.listChanges(workspace, "few", null, rowsUpTo(2)));
    const [after, last] = rows.map(({ position }) => position);
    let next = { found: false, position: after! };
    let calls = 0;
    for (; !next.found; calls++) {
      const [answer] = (await storage.findWork([{ workspace, key: "few", after: next.position }])).next;
      assert.ok(answer && (answer.found || answer.position === next.position + 10_000));
      next = answer;
    }
    assert.deepEqual([calls, next.position], [8, last! - 1]);
  });
});
