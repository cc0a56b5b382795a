import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import mysql from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../../../adapters/mysql/index.ts";
import { contactDraft, eventDraft, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import { start } from "../../../../adapters/storage-contract/pending.ts";
import { createTracker } from "../../../../lib/index.ts";
import { countEach, countEvents, startPair, withFailover, type Failover } from "../../../support/failover.ts";
import { databaseSuite } from "../../../support/mysql.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { until } from "../../../support/within.ts";

const pair = await startPair();
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

databaseSuite("a failover that leaves the old primary up, read-only", pair?.first ?? null, (test) => {
  const failover = (run: (failover: Failover) => Promise<void>): Promise<void> => withFailover(pair!, run);

  for (const kind of ["a pool made here", "a given pool"]) {
    test(`fails no call on ${kind}, and records each event once`, () =>
      failover(async (opened) => {
        const given = kind === "a given pool" ? mysql.createPool(opened.url) : null;
        const storage = mysqlStorage(given ?? opened.url);
        try {
          let ends = false;
          const callers = range(20).map((n) => start(call(storage, n, () => ends)));
          await pause(300);
          await opened.makeReadOnly();
          await pause(300);
          opened.takeOver();
          await pause(700);
          ends = true;
          const recorded = await Promise.all(callers.map(({ result }) => result));
          assert.equal(
            await countEvents(opened.storages),
            recorded.reduce((sum, count) => sum + count, 0),
          );
        } finally {
          await storage.close();
          await given?.end();
        }
      }));

    test(`ends all connections of ${kind} at the first refusal, however many, so that no read goes back`, () =>
      failover(async ({ url, makeReadOnly, takeOver }) => {
        const given = kind === "a given pool" ? mysql.createPool({ uri: url, connectionLimit: 120 }) : null;
        const storage = mysqlStorage(given ?? `${url}?connectionLimit=120`);
        const read = async (email: string): Promise<unknown[]> => {
          const found: unknown[] = [];
          // A busy machine takes longer for all connections at once than a read waits for one.
          for (let count = 20; count <= 120; count += 20)
            found.push(
              ...(await Promise.all(range(count).map(() => storage.findContact(workspace, { externalId: email })))),
            );
          return found;
        };
        try {
          // On as many connections as the pool makes.
          await read("ada@example.com");
          await makeReadOnly();
          takeOver();
          await storage.upsertContacts([contactDraft({ email: "new@example.com" })]);
          assert.ok((await read("new@example.com")).every((contact) => contact !== null));
        } finally {
          await storage.close();
          await given?.end();
        }
      }));
  }

  test("is transaction_lost within a caller's transaction, which then runs on a new connection", () =>
    failover(async ({ url, storages, makeReadOnly, takeOver }) => {
      const pool = mysql.createPool(url);
      const storage = mysqlStorage(pool);
      try {
        const [old, other] = [await pool.getConnection(), await pool.getConnection()];
        await old.beginTransaction();
        await storage.within(old).recordEvents([eventDraft()]);
        await other.beginTransaction();
        await makeReadOnly();
        for (const connection of [old, other]) {
          const lost = await refusalOf(storage.within(connection).recordEvents([eventDraft()]));
          assert.equal(lost.code, "transaction_lost");
          await connection.commit();
          connection.destroy();
        }
        takeOver();
        const connection = await mysql.createConnection(url);
        await connection.beginTransaction();
        await storage.within(connection).recordEvents([eventDraft()]);
        await connection.commit();
        await connection.end();
        assert.deepEqual(await countEach(storages), [0, 1]);
      } finally {
        await storage.close();
        await pool.end();
      }
    }));

  test("is seen by the tracker's health, which is good again once there is a new primary", () =>
    failover(async ({ url, makeReadOnly, takeOver }) => {
      const storage = mysqlStorage(url);
      const { health } = createTracker({ storage });
      const becomes = (wanted: boolean): Promise<void> => until(async () => (await health()).ok === wanted);
      try {
        await becomes(true);
        await makeReadOnly();
        await becomes(false);
        takeOver();
        await becomes(true);
      } finally {
        await storage.close();
      }
    }));
});

/** Writes in every way until the end, and resolves with how many events were recorded. Rejects as soon as one call does. */
async function call(storage: MysqlStorage, caller: number, ends: () => boolean): Promise<number> {
  let recorded = 0;
  const window = { startsAt: 0, endsAt: 60_000, now: 1 };
  for (let n = 0; !ends(); n++) {
    await storage.recordEvents([eventDraft()]);
    recorded++;
    await storage.upsertContacts([contactDraft({ email: `${caller}_${n}@example.com` })]);
    await storage.updateContact({ ...contactDraft({ fields: { name: `${n}` } }), externalId: "ada@example.com" });
    await storage.consume("00000000-0000-7000-8000-000000000001", 900, window, 1);
    await storage.findContact(workspace, { externalId: "ada@example.com" });
  }
  return recorded;
}
