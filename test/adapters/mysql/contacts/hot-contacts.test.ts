import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { RowDataPacket } from "mysql2";
import { atOnce, countOf, recordAll } from "../../../../adapters/storage-contract/calls.ts";
import { eventDraft, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { holdingOn, upsert, type Held } from "../../../support/holding.ts";
import type { OpenedMysql } from "../../../support/mysql.ts";
import { within } from "../../../support/within.ts";

const server = await database();

const event = (storage: Storage, n: number, key?: string): Promise<unknown> =>
  recordAll(storage, [
    eventDraft({
      contact: { email: `${n}@example.com` },
      ...(key !== undefined && { idempotencyHash: key.repeat(64) }),
    }),
  ]);

/** InnoDB shows what it showed before to who asks again within a tenth of a second. */
const freshAfterMs = 120;

/** How many connections wait for a row that another transaction has locked. */
async function waiting({ pool }: OpenedMysql): Promise<number> {
  await sleep(freshAfterMs);
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT COUNT(*) AS n FROM information_schema.INNODB_TRX t
JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id
WHERE t.trx_state = 'LOCK WAIT' AND p.DB = DATABASE()`,
  );
  return (rows[0] as { n: number }).n;
}

/** Resolves once so many wait, or have waited for too long and try again. */
async function untilSoManyWait(opened: Held, count = 1): Promise<void> {
  while ((await waiting(opened)) < count && opened.through.stats().retries["held"] === undefined);
}

/**
 * Makes what runs a test with a held contact. A lock wait ends after a second, which a busy machine may spend elsewhere: what is
 * so is so in one of three tries.
 */
function holdingInTime(run: (held: Held) => Promise<void>): Promise<void> {
  const holding = holdingOn(server);
  return holding(run).catch(() => holding(run).catch(() => holding(run)));
}

/** Awaited later, or not at all by a test that has failed before. */
function begun<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

databaseSuite("contacts to which several processes write", server, (define) => {
  const test = testsOn(define, holdingInTime);
  test("are waited for in line, without a pause", async (opened) => {
    const { through, inside, connection } = opened;
    await recordAll(inside, [eventDraft({ contact: { email: "57@example.com" } })]);
    const recorded = begun(atOnce(4, () => event(through, 57)));
    await untilSoManyWait(opened);
    await connection.commit();
    await recorded;
    const contact = await through.findContact(workspace, { externalId: "57@example.com" });
    assert.equal(await countOf(through, contact!.id), 5);
    assert.deepEqual(through.stats().retries, {});
  });

  test("are waited for by an upsert too, and by an event with a key", async (opened) => {
    const { through, inside, connection } = opened;
    await recordAll(inside, [eventDraft({ contact: { email: "57@example.com" } })]);
    const named = upsert(through, { email: "57@example.com", fields: { name: "Ada" } });
    const written = begun(Promise.all([named, event(through, 57, "a")]));
    await untilSoManyWait(opened, 2);
    await connection.commit();
    await written;
    assert.equal((await through.findContact(workspace, { externalId: "57@example.com" }))?.name, "Ada");
    assert.deepEqual(through.stats().retries, {});
  });

  test("are waited for on two connections at most, and others are written meanwhile", async (opened) => {
    const { through, inside, connection } = opened;
    const hot = [1, 2, 3, 4, 5];
    await recordAll(
      inside,
      hot.map((n) => eventDraft({ contact: { email: `${n}@example.com` } })),
    );
    const held = begun(Promise.all(hot.map((n) => event(through, n))));
    await untilSoManyWait(opened);
    const counts: number[] = [];
    for (let round = 0; round < 5; round++) {
      counts.push(await waiting(opened));
      await within(900, "another", event(through, 50 + round));
    }
    assert.equal(Math.max(...counts), 2);
    await connection.commit();
    await held;
  });

  test("that somebody holds for longer are waited for by pauses, which leave the connection to others", async (opened) => {
    const { through, inside, connection } = opened;
    await recordAll(inside, [eventDraft({ contact: { email: "57@example.com" } })]);
    const held = begun(atOnce(3, () => event(through, 57)));
    await untilSoManyWait(opened);
    while (through.stats().retries["held"] === undefined) await sleep(10);
    assert.deepEqual([await waiting(opened), through.stats().retries["1205"]], [0, 1]);
    await connection.commit();
    await held;
  });

  test("are not waited for with a small pool, or one that was given", async (opened) => {
    const { inside, connection, open } = opened;
    await recordAll(inside, [eventDraft({ contact: { email: "57@example.com" } })]);
    const small = open({}, "?connectionLimit=5");
    const writes = begun(atOnce(3, (index) => event(index === 0 ? opened.storage : small, 57)));
    while (small.stats().retries["held"] === undefined || opened.storage.stats().retries["held"] === undefined) {
      assert.equal(await waiting(opened), 0);
    }
    await connection.commit();
    await writes;
  });
});
