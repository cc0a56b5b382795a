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
import { until, within } from "../../../support/within.ts";

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

/** A lock wait ended while the test looked for it: on a busy machine a second, its limit, may pass meanwhile. */
class LookedTooLate extends Error {}

function assertNoneTimedOut({ through }: Held): void {
  if (through.stats().retries["1205"] !== undefined) throw new LookedTooLate("a lock wait ended meanwhile");
}

/** Resolves once so many of the writes wait. */
async function untilSoManyWait(opened: Held, count: number, writes: Promise<unknown>): Promise<void> {
  const look = async (): Promise<boolean> => {
    assertNoneTimedOut(opened);
    return (await waiting(opened)) >= count;
  };
  await Promise.race([until(look), writes]);
}

/** Runs a test with a held contact, and up to twice again if it looked too late. */
async function holdingInTime(run: (held: Held) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await holdingOn(server)(run);
    } catch (error) {
      if (!(error instanceof LookedTooLate) || tries === 3) throw error;
    }
  }
}

/** Node would report its rejection as unhandled if the test fails before it awaits it. */
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
    await untilSoManyWait(opened, 1, recorded);
    await connection.commit();
    await recorded;
    const contact = await through.findContact(workspace, { externalId: "57@example.com" });
    assert.equal(await countOf(through, contact!.id), 5);
    assertNoneTimedOut(opened);
    assert.deepEqual(through.stats().retries, {});
  });

  test("are waited for by an upsert too, and by an event with a key", async (opened) => {
    const { through, inside, connection } = opened;
    await recordAll(inside, [eventDraft({ contact: { email: "57@example.com" } })]);
    const named = upsert(through, { email: "57@example.com", fields: { name: "Ada" } });
    const written = begun(Promise.all([named, event(through, 57, "a")]));
    await untilSoManyWait(opened, 2, written);
    await connection.commit();
    await written;
    assert.equal((await through.findContact(workspace, { externalId: "57@example.com" }))?.name, "Ada");
    assertNoneTimedOut(opened);
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
    await untilSoManyWait(opened, 1, held);
    const counts: number[] = [];
    for (let round = 0; round < 5; round++) {
      counts.push(await waiting(opened));
      await within(4_000, "another", event(through, 50 + round));
    }
    if (Math.max(...counts) < 2) assertNoneTimedOut(opened);
    assert.equal(Math.max(...counts), 2);
    await connection.commit();
    await held;
  });

  test("that somebody holds for longer are waited for by pauses, which leave the connection to others", async (opened) => {
    const { through, inside, connection } = opened;
    await recordAll(inside, [eventDraft({ contact: { email: "57@example.com" } })]);
    const held = begun(atOnce(3, () => event(through, 57)));
    await until(() => through.stats().retries["held"] !== undefined);
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
