import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { TrackerError, type Tracker } from "../../../lib/index.ts";
import { database, databaseSuite } from "../../support/mysql.ts";
import { testsOn } from "../../support/suite.ts";
import { proxiedBy } from "../../support/proxied.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";

const server = await database();

async function upsertMany(tracker: Tracker, count: number): Promise<void> {
  const emails = Array.from({ length: count }, (_, n) => `ada${n}@example.com`);
  await Promise.all(emails.map((email) => tracker.contacts.upsert({ email })));
}

function causeOf({ cause }: TrackerError): unknown {
  return (cause as { code?: unknown } | undefined)?.code;
}

databaseSuite({ name: "mysql stats", atOnce: 5 }, server, (define) => {
  const test = testsOn(define, proxiedBy(server));
  test("count the transactions of writes that were asked for at once, and what these wrote", async (opened) => {
    const { tracker, through } = opened;
    await upsertMany(tracker, 20);
    const event = { externalId: "ada1@example.com", eventKey: "step" };
    await tracker.events.track(event);
    const { contacts, events } = through.stats();
    assert.equal(contacts.items, 20);
    assert.ok(contacts.batches >= 1 && contacts.batches <= 3, `${contacts.batches} batches`);
    assert.deepEqual(events, { batches: 1, items: 1, queuedItems: 0, queuedBytes: 0 });
  });

  test("tell what is under way, and what has gone", async ({ tracker, through, proxy }) => {
    await upsertMany(tracker, 1);
    proxy.freeze();
    const asked = upsertMany(tracker, 3);
    await sleep(50);
    const { contacts, pool } = through.stats();
    assert.equal(contacts.queuedItems, 3);
    assert.ok(contacts.queuedBytes > 0);
    assert.ok(pool.inUse + pool.waiting >= 1 && pool.open >= 1, JSON.stringify(pool));
    proxy.thaw();
    await asked;
    assert.equal(through.stats().contacts.queuedItems, 0);
    assert.equal(through.stats().pool.inUse, 0);
    await through.close();
    assert.deepEqual(through.stats().pool, { open: 0, inUse: 0, waiting: 0 });
  });

  test("count what is tried again: by the driver's code, or because somebody holds it", async (opened) => {
    const { tracker, through, proxy, pool } = opened;
    await upsertMany(tracker, 2);
    proxy.next.push("lose commit");
    await upsertMany(tracker, 2);
    assert.deepEqual(through.stats().retries, { PROTOCOL_CONNECTION_LOST: 1 });
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    await connection.execute("UPDATE whodid_contacts SET updated_at = updated_at + 1 WHERE email = 'ada0@example.com'");
    const asked = upsertMany(tracker, 2);
    while (!through.stats().retries["held"]) await sleep(10);
    await connection.rollback();
    connection.release();
    await asked;
  });

  test("leave a given pool's connections to their owner, and count those that are at work", async ({ storage }) => {
    const asked = storage.findContact("default", { externalId: "a" });
    const { open, inUse, waiting } = storage.stats().pool;
    assert.deepEqual([open, inUse + waiting], [0, 1]);
    await asked;
    assert.deepEqual(storage.stats().pool, { open: 0, inUse: 0, waiting: 0 });
  });

  test("are not needed to learn why a call was refused: the error's cause says so", async (opened) => {
    const { through, tracker, pool } = opened;
    const email = "ada@example.com";
    await tracker.contacts.upsert({ email });
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    await connection.execute("UPDATE whodid_contacts SET updated_at = updated_at + 1");
    assert.equal(causeOf(await refusalOf(tracker.contacts.upsert({ email }))), "held");
    await connection.rollback();
    connection.release();
    await through.close();
    assert.equal(causeOf(await refusalOf(tracker.contacts.get(email))), "closed");
  });
});
