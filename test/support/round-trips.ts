import assert from "node:assert/strict";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { recordAll, recordEvent, upsert } from "../../adapters/storage-contract/calls.ts";
import { contactDraft, eventDraft, keyed, newIds, workspace } from "../../adapters/storage-contract/drafts.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { EventDraft } from "../../lib/storage/rows.ts";
import type { Database } from "./database.ts";
import { isMariadb, otherConnections } from "./mysql.ts";
import { countRows, proxiedBy, type Proxied } from "./proxied.ts";
import type { Test } from "./suite.ts";

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const named = (n: number): Partial<EventDraft> => ({ contact: { externalId: `${n}@example.com` } });

async function createContacts(storage: Storage, count: number): Promise<void> {
  await storage.upsertContacts(range(count).map((n) => contactDraft({ email: `${n}@example.com` })));
}

/** The requests to the database of the last of three calls, when their statements are prepared. */
async function requestsOf(
  { proxy: { seen } }: Pick<Proxied, "proxy">,
  call: (n: number) => Promise<unknown>,
): Promise<number> {
  let before = 0;
  for (const n of range(3)) {
    before = seen.queried + seen.executed + seen.prepared;
    await call(n);
  }
  return seen.queried + seen.executed + seen.prepared - before;
}

async function countOf(storage: Storage, n: number): Promise<number | undefined> {
  const contact = await storage.findContact(workspace, { externalId: `${n}@example.com` });
  return (await storage.findSummaries(workspace, contact!.id))[0]?.count;
}

/** Rejects if a transaction has locked a contact. */
async function assertUnlocked({ pool }: Proxied): Promise<void> {
  await pool.query("SELECT id FROM whodid_contacts FOR UPDATE NOWAIT");
}

const ada = { externalId: "ada@example.com" };
const calls: Record<
  string,
  { call: (tracker: Tracker, n: number) => Promise<unknown>; requests: number; onMysql: number }
> = {
  "a new event": { call: ({ events }) => events.track({ ...ada, eventKey: "step" }), requests: 1, onMysql: 1 },
  "a new event with an idempotency key": {
    call: ({ events }, n) => events.track({ ...ada, eventKey: "step" }, { idempotencyKey: `${n}` }),
    requests: 1,
    onMysql: 1,
  },
  "a batch of new events, some with keys": {
    call: ({ events }, n) =>
      events.trackMany([
        { ...ada, eventKey: "step" },
        { externalId: "bob@example.com", eventKey: "step", idempotencyKey: `of ${n}` },
      ]),
    requests: 1,
    onMysql: 1,
  },
  "a new contact": {
    call: ({ contacts }, n) => contacts.upsert({ email: `${n}@example.com` }),
    requests: 1,
    onMysql: 2,
  },
  "a new contact with an attribute": {
    call: ({ contacts }, n) => contacts.upsert({ email: `with${n}@example.com`, customAttributes: { seats: n } }),
    requests: 1,
    onMysql: 2,
  },
  "a batch of new contacts": {
    call: ({ contacts }, n) => contacts.upsertMany([{ email: `a${n}@example.com` }, { email: `b${n}@example.com` }]),
    requests: 1,
    onMysql: 2,
  },
  "a contact put by a new externalId": {
    call: ({ contacts }, n) => contacts.put(`U_${n}`, { email: `put${n}@example.com` }),
    requests: 1,
    onMysql: 2,
  },
  "a contact put by a known externalId": {
    call: ({ contacts }, n) => contacts.put("ada@example.com", { name: `${n}` }),
    requests: 2,
    onMysql: 2,
  },
  "a changed contact": {
    call: ({ contacts }, n) => contacts.upsert({ email: "ada@example.com", name: `${n}` }),
    requests: 2,
    onMysql: 2,
  },
  "an unchanged contact": {
    call: ({ contacts }) => contacts.upsert({ email: "bob@example.com" }),
    requests: 2,
    onMysql: 2,
  },
  "an update": {
    call: ({ contacts }, n) => contacts.update("ada@example.com", { plan: `${n}` }),
    requests: 2,
    onMysql: 2,
  },
};

/** The tests of compound statements on MariaDB, and of several statements in one packet on MySQL. */
export function roundTripCases(test: Test, server: Database): void {
  const proxied = proxiedBy(server);

  for (const [what, { call, requests, onMysql }] of Object.entries(calls)) {
    test(`write ${what} in ${requests === 1 ? "one round trip" : "two round trips"}, and a given pool takes more`, () =>
      proxied(async (opened) => {
        const { tracker, proxy } = opened;
        await tracker.attributes.define({ key: "seats", type: "number" });
        await tracker.contacts.upsertMany([{ email: "ada@example.com" }, { email: "bob@example.com" }]);
        const found = await requestsOf(opened, (n) => call(tracker, n));
        assert.equal(found, (await isMariadb(opened.pool)) ? requests : onMysql);
        const pool = createPool(proxy.url);
        const given = createTracker({ storage: mysqlStorage(pool) });
        assert.ok((await requestsOf(opened, (n) => call(given, n + 10))) > requests + 1);
        await pool.end();
      }));
  }

  test("are not used for what a subscription takes, for an item that may be completed, nor in a deleted workspace", () =>
    proxied(async (opened) => {
      const { tracker } = opened;
      await tracker.contacts.upsert({ email: "ada@example.com" });
      const track = (eventKey: string) => (): Promise<unknown> => tracker.events.track({ ...ada, eventKey });
      await tracker.checklists.define({
        key: "start",
        name: "Start",
        items: [{ key: "stepped", name: "Stepped", when: { kind: "has_done", eventKey: "step" } }],
      });
      assert.deepEqual((await tracker.events.track({ ...ada, eventKey: "step" })).completedChecklistItems.length, 1);
      assert.equal(await requestsOf(opened, track("other")), 1);
      await tracker.subscriptions.define({ key: "orders", on: { events: ["order"] } });
      assert.equal(await requestsOf(opened, track("other")), 1);
      assert.ok((await requestsOf(opened, track("order"))) > 1);
      assert.equal(await countRows(opened, "outbox"), 3);
    }));

  test("leave an unknown contact, and one named in another case, to the usual statements", () =>
    proxied(async (opened) => {
      await createContacts(opened.through, 2);
      const odd = [
        eventDraft({ contact: { externalId: "nobody" } }),
        eventDraft({ contact: { externalId: "1@EXAMPLE.com" } }),
      ];
      const drafts = [eventDraft(named(0)), ...odd, eventDraft(named(0))];
      const idsOf = async (batch: EventDraft[]): Promise<(string | null)[]> =>
        (await recordAll(opened.through, batch)).map((event) => event?.id ?? null);
      assert.deepEqual(await idsOf(drafts), [drafts[0]!.id, null, drafts[2]!.id, drafts[3]!.id]);
      for (const draft of odd) {
        const again = { ...draft, id: newIds(1)[0]! };
        assert.deepEqual(await idsOf([again]), [draft === odd[0] ? null : again.id]);
      }
      assert.deepEqual([await countOf(opened.storage, 0), await countOf(opened.storage, 1)], [2, 2]);
      assert.deepEqual([await countRows(opened, "events"), opened.through.stats().retries], [4, {}]);
    }));

  test("keep the time of each event, and the first and last time of each summary", () =>
    proxied(async ({ through, storage }) => {
      await createContacts(through, 2);
      const drafts = [5, 3, 8].map((createdAt, n) =>
        eventDraft({ ...named(n === 2 ? 1 : 0), createdAt, eventKey: "past" }),
      );
      await recordAll(through, [...drafts, eventDraft({ ...named(0), createdAt: 9, eventKey: "other" })]);
      await recordAll(through, [eventDraft({ ...named(1), createdAt: 4, eventKey: "past" })]);
      const summariesOf = async (n: number): Promise<unknown> => {
        const { id } = (await storage.findContact(workspace, { externalId: `${n}@example.com` }))!;
        return storage.findSummaries(workspace, id);
      };
      assert.deepEqual(await summariesOf(0), [
        { eventKey: "other", count: 1, firstAt: 9, lastAt: 9 },
        { eventKey: "past", count: 2, firstAt: 3, lastAt: 5 },
      ]);
      assert.deepEqual(await summariesOf(1), [{ eventKey: "past", count: 2, firstAt: 4, lastAt: 8 }]);
    }));

  for (const [how, batches] of Object.entries({
    "each alone": [[0], [1]],
    "beside others": [
      [0, 2],
      [1, 2],
    ],
  })) {
    test(`keep no event waiting for the locked contact of another, ${how}, and lose none`, () =>
      proxied(async (opened) => {
        const { through, proxy } = opened;
        await createContacts(through, 3);
        const connection = await opened.pool.getConnection();
        await connection.beginTransaction();
        await connection.query(
          "SELECT id FROM whodid_contacts WHERE workspace = 'acme' AND email IN ('0@example.com', '1@example.com') FOR UPDATE",
        );
        const recording: Promise<unknown>[] = [];
        for (const batch of batches) {
          const { executed } = proxy.seen;
          recording.push(...batch.map((n) => recordEvent(through, named(n))));
          while (proxy.seen.executed === executed) await nextTurn();
        }
        await recordEvent(through, named(2));
        // No statement has waited until the database gave up.
        assert.equal(through.stats().retries["1205"], undefined);
        assert.equal(await countOf(opened.storage, 0), undefined);
        await connection.commit();
        connection.release();
        await Promise.all(recording);
        const counts = await Promise.all([0, 1, 2].map((n) => countOf(opened.storage, n)));
        assert.deepEqual(counts, [1, 1, batches.flat().length - 2 + 1]);
      }));
  }

  test("keep no event waiting for the idempotency key of an open transaction, whose event is the answer after its commit", () =>
    proxied(async ({ through, storage, pool }) => {
      await createContacts(through, 3);
      const connection = await pool.getConnection();
      await connection.beginTransaction();
      const [first] = await recordAll(storage.within(connection), [eventDraft({ ...named(0), ...keyed("key") })]);
      const again = recordEvent(through, { ...named(1), ...keyed("key") });
      await recordEvent(through, named(2));
      // No insert has waited until the database gave up.
      assert.equal(through.stats().retries["1205"], undefined);
      await connection.commit();
      connection.release();
      assert.equal((await again)?.id, first!.id);
    }));

  // A lock wait timeout, which rolls back one statement alone; any other error; an interruption; errors of a COMMIT.
  for (const number of [1205, 1264, 1317, 1598, 2013, 3100]) {
    test(`leave nothing if error ${number} ends one in the middle, and all but a refused value is tried again`, () =>
      proxied(async (opened) => {
        const isPrepared = await isMariadb(opened.pool);
        await createContacts(opened.through, 1);
        const statements = `START TRANSACTION;\nUPDATE whodid_contacts SET name = 'half';\nSIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number}`;
        const send = isPrepared ? `BEGIN NOT ATOMIC\n${statements};\nEND` : statements;
        // The first slot is still in use, so a second connection prepares its statements.
        for (const of of ["whodid:recordEvents", "whodid:upsertContacts"]) opened.proxy.instead.push({ of, send });
        const writes = await Promise.allSettled([
          recordAll(opened.through, [eventDraft(named(0))]),
          upsert(opened.through, { email: "1@example.com" }),
        ]);
        const codes = writes.map((one) =>
          one.status === "rejected" ? (one.reason as { code: string }).code : "written",
        );
        assert.deepEqual(codes, number === 1264 ? ["internal", "internal"] : ["written", "written"]);
        const contact = await opened.storage.findContact(workspace, { externalId: "0@example.com" });
        assert.deepEqual([contact?.name, opened.proxy.instead.length], [null, 0]);
        await assertUnlocked(opened);
      }));
  }

  test("leave an event to the usual statements if the connection is lost in the ROLLBACK of what they did not write", () =>
    proxied(async ({ through, proxy }) => {
      await createContacts(through, 1);
      proxy.instead.push({ of: "ROLLBACK AND NO CHAIN", send: "KILL CONNECTION_ID()" });
      const draft = eventDraft({ contact: { externalId: "0@EXAMPLE.com" } });
      const [recorded] = await recordAll(through, [draft]);
      assert.deepEqual([recorded?.id, proxy.instead.length], [draft.id, 0]);
    }));

  test("write each event and contact once while connections are killed in the middle", () =>
    proxied(async (opened) => {
      const { tracker, pool } = opened;
      await createContacts(opened.through, 5);
      let kills = 0;
      let isDone = false;
      // A call that is interrupted outside of these is 503. MySQL shows the later statements of a text without its comment.
      const killed = (await isMariadb(pool)) ? /BEGIN NOT ATOMIC/ : /^\s*(?:SET @|INSERT|UPDATE|COMMIT)/;
      const killing = (async () => {
        // A call whose every try is killed for 5 s is 503.
        for (; !isDone; await pause(10)) {
          const [busy] = (await otherConnections(pool, opened.url)).filter(({ statement }) => killed.test(statement));
          if (busy) {
            const { id } = busy;
            const kill = kills % 2 === 0 ? `KILL QUERY ${id}` : `KILL ${id}`;
            await pool.query(kill).then(
              () => kills++,
              () => {},
            );
          }
        }
      })();
      const write = async (n: number): Promise<void> => {
        const draft = eventDraft({ ...named(n % 5), ...(n % 2 === 0 ? keyed(`${n}`) : {}) });
        const [recorded] = await recordAll(opened.through, [draft]);
        assert.equal(recorded?.id, draft.id);
        const { created } = await tracker.contacts.upsert({ email: `new${n}@example.com`, name: `${n}` });
        assert.equal(created, true);
        await tracker.contacts.upsert({ email: `new${n}@example.com`, name: `changed ${n}` });
      };
      let rounds = 0;
      try {
        for (; rounds < 40 || kills === 0; rounds++)
          await Promise.all(range(5).map((part) => write(rounds * 5 + part)));
      } finally {
        isDone = true;
        await killing;
      }
      const written = rounds * 5;
      const rows = [await countRows(opened, "events"), await countRows(opened, "contacts")];
      assert.deepEqual(rows, [written, written + 5]);
      assert.deepEqual(
        await Promise.all(range(5).map((n) => countOf(opened.storage, n))),
        range(5).map(() => rounds),
      );
      await assertUnlocked(opened);
    }));

  test("are refused in a text that a caller's function sends, also on a connection that others have used", () =>
    proxied(async ({ through, pool }) => {
      const tracker = createTracker({ storage: through });
      await createContacts(through, 1);
      for (const statements of ["SELECT 1; SELECT 2", "DO 1; DELETE FROM whodid_contacts"]) {
        await tracker.transaction(async (_inside, connection) => {
          await assert.rejects(connection.query(statements), { errno: 1064 });
        });
      }
      await pool.query("SELECT id FROM whodid_contacts").then(([rows]) => assert.equal((rows as unknown[]).length, 1));
    }));
}
