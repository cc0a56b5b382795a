import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "mysql2/promise";
import { accepted, refused } from "../../../../adapters/storage-contract/calls.ts";
import { logAll } from "../../../../adapters/storage-contract/log.ts";
import {
  failFirst,
  happen,
  idsOf,
  longMs,
  progressOf,
  subscribeContacts,
  take,
  withoutPlace,
} from "../../../../adapters/storage-contract/taking.ts";
import {
  at,
  contactDraft,
  eventDraft,
  subscriptionDraft,
  workspace,
  rowsUpTo,
} from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../../../lib/index.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { proxiedBy } from "../../../support/proxied.ts";

const server = await database();
const proxied = proxiedBy(server);
const onMysql = mysqlBy(server);

/** Runs on a storage with a subscription to events, and two contacts with different slots. */
function subscribed(run: (opened: OpenedMysql, contactIds: string[]) => Promise<void>): Promise<void> {
  return onMysql(async (opened) => {
    const [one, two] = await subscribeContacts(opened.storage, 5, 6);
    await run(opened, [one!.id, two!.id]);
  });
}

/** Takes the changes, and parks the contact of the first one. */
async function park(storage: Storage): Promise<string> {
  const taken = await take(storage, { token: "park" });
  const { id, position, contact } = taken.slots[0]!.changes[0]!.row;
  const failure = { failures: 1, error: "no", pauseMs: null };
  const progress = progressOf(taken, "park", { contact: { contactId: contact.id, changeId: id, position, failure } });
  assert.deepEqual(await storage.acknowledge(workspace, [progress]), [true]);
  return id;
}

async function parkedIds(storage: Storage): Promise<string[]> {
  return accepted(await storage.listParked(workspace, "all", { ...rowsUpTo(10), after: null })).rows.map(
    ({ id }) => id,
  );
}

/** Deletes the first contact in a transaction of the caller's, after which no pass runs. */
async function deleteWithoutPass({ storage, pool }: OpenedMysql): Promise<void> {
  const connection = await pool.getConnection();
  await connection.beginTransaction();
  accepted(await storage.within(connection).deleteContact(workspace, "c0@example.com", at));
  await connection.commit();
  connection.release();
}

/** Adds the square of so many updates of the contact to the end of the log. */
async function addUpdates(pool: Pool, contactId: string, root: number): Promise<void> {
  await pool.query(
    `INSERT INTO whodid_changes (workspace, position, change_id, kind, contact_id, event_key, changed_at, body)
SELECT c.workspace, c.position + n.seq, UNHEX(LPAD(HEX(n.seq), 32, '0')), 'contact_updated', c.contact_id, NULL, c.changed_at, '[{},"a"]'
FROM whodid_changes c JOIN (WITH RECURSIVE d AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM d WHERE n < ? - 1)
  SELECT 1 + a.n + ? * b.n AS seq FROM d a JOIN d b) n WHERE c.contact_id = UNHEX(?)`,
    [root, root, contactId.replaceAll("-", "")],
  );
  await pool.query("UPDATE whodid_change_heads SET position = (SELECT MAX(position) FROM whodid_changes)");
}

/** Adds the square of so many contacts, which wait as the one that waits. */
async function addWaiting(pool: Pool, root: number): Promise<void> {
  await pool.query(
    `INSERT INTO whodid_waiting
SELECT w.subscription_id, UNHEX(LPAD(HEX(n.seq), 32, '0')), w.slot, w.position, w.change_id, 0, NULL, w.due_at, 0 FROM whodid_waiting w
JOIN (WITH RECURSIVE d AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM d WHERE n < ? - 1)
  SELECT a.n + ? * b.n AS seq FROM d a JOIN d b) n`,
    [root, root],
  );
}

databaseSuite({ name: "consumers in the tables of mysql", atOnce: 2 }, server, (test) => {
  test("a contact that was deleted is not parked even before a pass, which then removes its row", () =>
    subscribed(async (opened) => {
      const { storage, pool } = opened;
      await happen(storage, 0);
      const id = await park(storage);
      assert.deepEqual(await parkedIds(storage), [id]);
      await deleteWithoutPass(opened);
      assert.deepEqual(await parkedIds(storage), []);
      refused(await storage.releaseParked(workspace, "all", id, "retry"), "change_not_parked");
      await logAll(storage);
      assert.deepEqual((await pool.query("SELECT * FROM whodid_waiting"))[0], []);
    }));

  test("a failure that is stored between the deletion of its contact and a pass is removed by the pass", () =>
    subscribed(async (opened) => {
      const { storage, pool } = opened;
      await happen(storage, 0);
      const taken = await take(storage, { token: "a" });
      await deleteWithoutPass(opened);
      const { id, position, contact } = taken.slots[0]!.changes[0]!.row;
      const failure = { failures: 1, error: "no", pauseMs: 0 };
      const progress = progressOf(taken, "a", { contact: { contactId: contact.id, changeId: id, position, failure } });
      assert.deepEqual(await storage.acknowledge(workspace, [progress]), [true]);
      assert.deepEqual((await take(storage)).slots, []);
      assert.deepEqual((await pool.query("SELECT * FROM whodid_waiting"))[0], []);
    }));

  test("a call that is repeated after an unknown outcome takes the slots that it has leased", () =>
    subscribed(async ({ storage }) => {
      const ids = [await happen(storage, 0), await happen(storage, 1)];
      const first = await take(storage, { token: "a" });
      assert.deepEqual(idsOf(first), ids);
      assert.deepEqual(withoutPlace(await take(storage, { token: "a" })), withoutPlace(first));
    }));

  test("a call looks past any number of changes that its subscription does not take", () =>
    subscribed(async ({ storage, pool }, [contactId]) => {
      await happen(storage, 0);
      await logAll(storage);
      await addUpdates(pool, contactId!, 400);
      const last = await happen(storage, 1);
      const taken = await take(storage, { token: "a", limit: 1 });
      assert.deepEqual(await storage.acknowledge(workspace, [progressOf(taken, "a")]), [true]);
      assert.deepEqual(idsOf(await take(storage, { limit: 1 })), [last]);
    }));

  test("contacts without further changes do not hide another that is due", () =>
    subscribed(async ({ storage, pool }) => {
      const id = await happen(storage, 0);
      await park(storage);
      await addWaiting(pool, 50);
      await pool.query("UPDATE whodid_waiting SET due_at = IF(error IS NULL, 0, 1)");
      assert.deepEqual(idsOf(await take(storage, { limit: 1, leaseMs: longMs })), [id]);
    }));

  test("a probe takes the change of a contact that waits only if no part of the log has another", () =>
    subscribed(async ({ storage, pool }, [, contactId]) => {
      const waiting = await happen(storage, 0);
      assert.equal(await failFirst(storage, longMs), waiting);
      await happen(storage, 1);
      const taken = await take(storage, { token: "a" });
      await storage.acknowledge(workspace, [progressOf(taken, "a")]);
      await addUpdates(pool, contactId!, 225);
      const id = await happen(storage, 1);
      assert.deepEqual(idsOf(await take(storage, { probe: { failedBefore: null } })), [id]);
    }));

  test("the count of a backlog ends after 10,000 changes of the log, and after 10,000 parked contacts", () =>
    subscribed(async ({ storage, pool }, [contactId]) => {
      await happen(storage, 0);
      await park(storage);
      await addUpdates(pool, contactId!, 101);
      await happen(storage, 1);
      await logAll(storage);
      const read = async (): Promise<unknown> => ({ ...(await storage.readBacklog(workspace, "all")), oldestAgeMs: 0 });
      assert.deepEqual(await read(), { changes: 0, more: true, oldestAgeMs: 0, parked: 1 });
      await pool.query("DELETE FROM whodid_changes WHERE kind = 'contact_updated' LIMIT 202");
      assert.deepEqual(await read(), { changes: 1, more: false, oldestAgeMs: 0, parked: 1 });
      await addWaiting(pool, 101);
      // Without a change at its position a contact counts: its change may have been removed for its age.
      await pool.query("UPDATE whodid_waiting SET position = 0 WHERE error IS NULL");
      assert.deepEqual(await read(), { changes: 1, more: false, oldestAgeMs: 0, parked: 10_000 });
    }));

  test("the backlogs of all workspaces are those of subscriptions that had a consumer", () =>
    subscribed(async ({ storage }) => {
      await storage.putDefinition(subscriptionDraft({ key: "unused" }));
      const other = { workspace: "other" };
      await storage.putDefinition(subscriptionDraft({ ...other, key: "mailer", on: { contacts: true } }));
      assert.deepEqual(await storage.readBacklogs(), []);
      await storage.upsertContacts([contactDraft(other)]);
      await happen(storage, 0);
      await park(storage);
      accepted(await storage.takeChanges("other", "mailer", { token: "a", leaseMs: 0, ...rowsUpTo(1) }));
      const backlogs = await storage.readBacklogs();
      assert.deepEqual(
        backlogs.map(({ workspace: of, key, changes, parked }) => [of, key, changes, parked]),
        [
          [workspace, "all", 0, 1],
          ["other", "mailer", 1, 0],
        ],
      );
    }));

  test("a consumer until caught up also handles a change behind many of another subscription", () =>
    subscribed(async ({ storage }) => {
      accepted(await storage.putDefinition(subscriptionDraft({ key: "last", on: { events: ["last"] } })));
      const contact = { email: "c0@example.com" };
      for (let n = 0; n < 3; n++) {
        await storage.recordEvents(Array.from({ length: 500 }, () => eventDraft({ contact })));
      }
      await happen(storage, 0, "last");
      const tracker = createTracker({ storage }).workspace(workspace);
      const result = await tracker.subscriptions.consume("last", { until: "caught-up" }, () => {});
      assert.deepEqual(result, { handled: 1, failed: 0 });
    }));

  for (const count of [1, 20]) {
    test(`a process with ${count} idle consumers sends at most two statements a second`, () =>
      proxied(async ({ proxy, tracker }) => {
        await tracker.subscriptions.define({ key: "all", on: { events: true } });
        for (let n = 0; n < count; n++) tracker.subscriptions.consume("all", () => {});
        // The connections are prepared by then.
        await sleep(2_000);
        const before = proxy.seen.executed;
        await sleep(4_000);
        const statements = proxy.seen.executed - before;
        // Those of a second more, because a busy machine ends the sleep late.
        assert.ok(statements > 0 && statements <= 10, `${statements} statements`);
      }));
  }
});
