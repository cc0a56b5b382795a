import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { start } from "../../../../adapters/storage-contract/pending.ts";
import { contactDraft, eventDraft, workspace, wholeList } from "../../../../adapters/storage-contract/drafts.ts";
import { effectiveExternalId } from "../../../../lib/decisions/find-contact.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const started = await database();
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

databaseSuite("deadlocks", started, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("two storages on one database are never told of a deadlock, and every summary equals a recount", async (opened) => {
    const { open, storage, pool } = opened;
    const storages = [open(), storage];
    const emails = range(12).map((n) => `${n}@example.com`);
    await Promise.all(
      storages.map(async (each, who) => {
        for (let round = 0; round < 25; round++) {
          // Each in an order of its own.
          const order = who === 0 ? emails : emails.toReversed();
          const fields = { externalId: `u_${who}_${round}`, name: `${who}` };
          await Promise.all([
            ...order.map((email) =>
              each.upsertContacts([contactDraft({ email, fields: { name: `${who} ${round}` } })]),
            ),
            ...order.map((email) =>
              each.recordEvents([eventDraft({ contact: { email }, eventKey: `step ${round % 3}` })]),
            ),
            // New ones that want the same externalIds, in the one order and in the other.
            each.upsertContacts(
              range(100).map((n) =>
                contactDraft({
                  email: `${round} ${n} of ${who}@example.com`,
                  fields: { externalId: `v_${round}_${who === 0 ? n : 99 - n}` },
                }),
              ),
            ),
            each.upsertContacts([contactDraft({ email: emails[round % 12]!, fields })]),
            each.recordEvents(order.map((email) => eventDraft({ contact: { email } }))),
          ]);
        }
      }),
    );
    const [wrong] = await pool.query(
      `SELECT * FROM (SELECT contact_id, event_key, event_count, first_at, last_at FROM whodid_summaries
         UNION ALL SELECT contact_id, event_key, COUNT(*), MIN(created_at), MAX(created_at) FROM whodid_events GROUP BY 1, 2) both_ways
         GROUP BY 1, 2, 3, 4, 5 HAVING COUNT(*) <> 2`,
    );
    assert.deepEqual(wrong, []);
    const contacts = (await storage.listContacts(workspace, { ...wholeList, limit: 3_000 })).rows;
    // Each externalId went to one of the two that wanted it.
    assert.equal(contacts.length, 12 + 25 * 100);
    assert.equal(new Set(contacts.map(effectiveExternalId)).size, contacts.length);
  });

  test("a call alone that a deadlock with a caller's own statements gives up is tried again", async (opened) => {
    const { storage, pool } = opened;
    const connection = await pool.getConnection();
    const names = ["a", "m", "z", ...range(50).map((n) => `z${n}`)];
    await storage.upsertContacts(names.map((name) => contactDraft({ email: `${name}@example.com` })));
    await connection.query("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    await connection.beginTransaction();
    // More written, so that the database gives up the other one; and a gap locked, which the call waits for.
    await connection.query(
      "UPDATE whodid_contacts FORCE INDEX (by_email) SET phone = '1' WHERE workspace = 'acme' AND email LIKE 'z%'",
    );
    await connection.query("SELECT * FROM whodid_contacts WHERE workspace = 'acme' AND email = 'n@x' FOR UPDATE");
    const call = start(
      storage.upsertContacts([
        contactDraft({ email: "a@example.com", fields: { name: "Ada" } }),
        contactDraft({ email: "o@example.com" }),
      ]),
    );
    await pause(300);
    await connection.query(
      "UPDATE whodid_contacts SET plan = 'pro' WHERE workspace = 'acme' AND email = 'a@example.com'",
    );
    assert.equal(call.isSettled(), false);
    await connection.commit();
    assert.equal((await call.result).length, 2);
    const contact = await storage.findContact(workspace, { externalId: "a@example.com" });
    assert.deepEqual([contact?.name, contact?.plan], ["Ada", "pro"]);
  });
});
