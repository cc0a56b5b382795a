import assert from "node:assert/strict";
import fc from "fast-check";
import type { RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { eventListStatements, tablesOf } from "../../../../adapters/mysql/sql/index.ts";
import { createContact, recordEvent } from "../../../../adapters/storage-contract/calls.ts";
import { at, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../../../lib/index.ts";
import { anyHistory, recount, relive, shown } from "../../../support/activity.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";

const started = await database();

const day = 86_400_000;
const past = { from: at, to: at + day };
const later = { from: at + day, to: at + 2 * day };

// One at a time, because a test sets the clock of the process.
databaseSuite({ name: "activity", atOnce: 1 }, started, (test, server) => {
  const onMysql = mysqlBy(server);

  test("counts of a span that has ended are kept for a minute", () =>
    onMysql(async ({ storage, pool }) => {
      await createContact(storage);
      await recordEvent(storage);
      const ofOthers = mysqlStorage(pool);
      const count = async (now: number, of = storage, key: string | null = null): Promise<number[]> => {
        const counts = await of.countActivity(workspace, key, [later, past], now);
        return counts.map(({ events }) => events);
      };
      assert.deepEqual(await count(at + day), [0, 1]);
      await recordEvent(storage, { createdAt: at + 1 });
      await recordEvent(storage, { createdAt: at + day + 1, eventKey: "other" });
      // The caller cannot change what is kept.
      for (const counts of await storage.countActivity(workspace, null, [past], at + day)) counts.events = 9;
      assert.deepEqual(await count(at + day), [1, 1]);
      assert.deepEqual(await count(at + day, ofOthers), [1, 2]);
      assert.deepEqual(await count(at + day, storage, "other"), [1, 0]);
      const real = performance.now;
      try {
        performance.now = () => real.call(performance) + 60_000;
        assert.deepEqual(await count(at + day), [1, 2]);
        await storage.deleteContact(workspace, "ada@example.com", at);
        assert.deepEqual(await count(at + day), [0, 2]);
        performance.now = () => real.call(performance) + 120_000;
        assert.deepEqual(await count(at + day), [0, 0]);
      } finally {
        performance.now = real;
      }
    }));

  test("a count that takes too long ends with the spans before it, if there are any", () =>
    onMysql(async ({ pool }) => {
      const storage = mysqlStorage(pool, { audienceTimeoutSeconds: 1 });
      const counted = { events: 0, contacts: 0, newContacts: 0 };
      assert.deepEqual(await storage.countActivity(workspace, null, [past], at + day), [counted]);
      const blocker = await pool.getConnection();
      try {
        await blocker.query("LOCK TABLES whodid_events WRITE");
        assert.deepEqual(await storage.countActivity(workspace, null, [past, later], at + day), [counted]);
        const refusal = await refusalOf(storage.countActivity(workspace, null, [later, past], at + day));
        assert.equal(refusal.code, "storage_unavailable");
      } finally {
        blocker.destroy();
      }
    }));

  test("an answer that the time limit ended says since when it counted, and goes on when it is asked again", () =>
    onMysql(async ({ pool }) => {
      const storage = mysqlStorage(pool, { audienceTimeoutSeconds: 1 });
      const tracker = createTracker({ storage, now: () => new Date("2026-02-03T00:00:00Z") }).workspace(workspace);
      const newest = { from: "2026-02-02T00:00:00Z", to: "2026-02-03T00:00:00Z", by: "day" } as const;
      const asked = { ...newest, from: "2026-02-01T00:00:00Z", total: true };
      await tracker.activity(newest);
      const blocker = await pool.getConnection();
      try {
        await blocker.query("LOCK TABLES whodid_events WRITE");
        const { periods, countedSince, total } = await tracker.activity(asked);
        assert.deepEqual([periods.length, countedSince, total], [1, "2026-02-02T00:00:00.000Z", undefined]);
        await blocker.query("UNLOCK TABLES");
        const whole = await tracker.activity(asked);
        assert.deepEqual([whole.periods.length, whole.countedSince, whole.total?.events], [2, undefined, 0]);
      } finally {
        blocker.destroy();
      }
    }));

  test("a fault is not taken for the end of the time", () =>
    onMysql(async ({ storage, pool }) => {
      await storage.countActivity(workspace, null, [past], at + day);
      await pool.query("RENAME TABLE whodid_events TO elsewhere");
      const refusal = await refusalOf(storage.countActivity(workspace, null, [past, later], at + day));
      await pool.query("RENAME TABLE elsewhere TO whodid_events");
      assert.equal(refusal.code, "internal");
    }));

  test("a day is one range of an index, which has all that is counted", () =>
    onMysql(async ({ storage, pool }) => {
      await createContact(storage);
      await recordEvent(storage);
      for (const key of [null, "step"]) {
        const { sql, values } = eventListStatements.countActivity(workspace, key, past)(tablesOf("whodid_"));
        const [plan] = await pool.query<RowDataPacket[]>(`EXPLAIN ${sql}`, [...values]);
        assert.equal(plan.length, 2);
        for (const { key: index, type, Extra: extra } of plan) {
          assert.deepEqual([index, type], ["by_creation", "range"]);
          assert.match(String(extra), /Using index(?! condition)/);
        }
      }
    }));

  test("agrees with a recount by the dates of the zone", () =>
    onMysql(async ({ storage }) => {
      let now = 0;
      let run = 0;
      const tracker = createTracker({ storage, now: () => new Date(now) });
      await fc.assert(
        fc.asyncProperty(anyHistory, async (history) => {
          const own = tracker.workspace(`w${run++}`);
          const { request, prunedBefore } = await relive(own, history, (time) => (now = time));
          assert.deepEqual(await shown(own, request), await recount(own, request, prunedBefore));
        }),
        { numRuns: 25, endOnFailure: true },
      );
    }));
});
