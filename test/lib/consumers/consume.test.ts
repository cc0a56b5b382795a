import assert from "node:assert/strict";
import { memoryStorage, type MemoryStorage } from "../../../adapters/memory/index.ts";
import type { MysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker, type Definitions } from "../../../lib/index.ts";
import { deferred, named, subscribed } from "../../support/consuming.ts";
import { issuesOf, refusalOf, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const ada = { email: "ada@example.com" };
const caughtUp = { until: "caught-up" } as const;

/** Never called: it need only compile. */
export function examples(
  storage: MysqlStorage,
  sendMail: (to: string, options: { idempotencyKey: string; signal: AbortSignal }) => Promise<void>,
): unknown {
  const definitions = {
    subscriptions: [
      { key: "mailer", on: { checklists: true } },
      { key: "orders", on: { events: ["order_completed"] } },
    ],
    events: [{ key: "order_completed" }],
  } as const satisfies Definitions;
  const tracker = createTracker({ storage, definitions });
  const worker = tracker.subscriptions.consume("mailer", async (change, { signal }) => {
    if (change.kind === "checklist_completed") {
      await sendMail(change.contact.email, { idempotencyKey: change.id, signal });
    }
  });
  tracker.subscriptions.consume("orders", { transaction: true }, async (change, { connection }) => {
    const rows = "INTO rewards (contact_id, event_id) VALUES (?, ?)";
    await connection.execute(`REPLACE ${rows}`, [change.contact.id, change.event.id]);
  });
  return worker.stop();
}

/** Resolves when a call has found no subscription. */
function missed(storage: MemoryStorage): Promise<void> {
  const { takeChanges } = storage;
  return new Promise((resolve) => {
    storage.takeChanges = async (...given) => {
      const taken = await takeChanges(...given);
      if ("refused" in taken) resolve();
      return taken;
    };
  });
}

suite({ name: "consuming a subscription", atOnce: 8 }, (test) => {
  test("the handler gets the changes, and the next consumer goes on after them", async () => {
    const { tracker } = await subscribed();
    const seen: string[] = [];
    const consume = () =>
      tracker.subscriptions.consume("all", caughtUp, (change) => void seen.push(`${change.kind} ${change.cursor}`));
    await tracker.contacts.upsert(ada);
    await tracker.events.track({ externalId: ada.email, eventKey: "a" });
    assert.deepEqual(await consume(), { handled: 2, failed: 0 });
    assert.deepEqual(await consume(), { handled: 0, failed: 0 });
    const changes = tracker.subscriptions.changes("all");
    const expected: string[] = [];
    for (let n = 0; n < 2; n++) {
      const { kind, cursor } = (await changes.next()).value;
      expected.push(`${kind} ${cursor}`);
    }
    assert.deepEqual(seen, expected);
  });

  test("a consumer goes on with what is written while it runs, also late in a transaction", async () => {
    const { tracker } = await subscribed();
    const seen: string[] = [];
    const last = deferred();
    const worker = tracker.subscriptions.consume("all", (change) => {
      seen.push(named(change));
      if (seen.length === 3) last.resolve();
    });
    await tracker.contacts.upsert(ada);
    await tracker.transaction(async (tx) => {
      await tx.events.track({ externalId: ada.email, eventKey: "late" });
      await tracker.contacts.upsert({ email: "bob@example.com" });
    });
    await last.promise;
    await worker.stop();
    await worker.ended;
    assert.deepEqual(seen, ["contact_created", "contact_created", "late"]);
  });

  for (const [options, issue] of [
    [{ concurrency: 0 }, "concurrency out_of_range"],
    [{ concurrency: 65 }, "concurrency out_of_range"],
    [{ leaseSeconds: 0 }, "leaseSeconds out_of_range"],
    [{ handlerTimeoutSeconds: 86_401 }, "handlerTimeoutSeconds out_of_range"],
    [{ tries: 1.5 }, "tries out_of_range"],
    [{ firstPauseSeconds: "5" }, "firstPauseSeconds wrong_type"],
    [{ transaction: 1 }, "transaction wrong_type"],
    [{ until: "tomorrow" }, "until invalid_format"],
    [{ retries: 1 }, "retries unknown_field"],
  ] as const) {
    test(`the option ${JSON.stringify(options)} is refused`, async () => {
      const { tracker } = await subscribed();
      const call = async () => tracker.subscriptions.consume("all", untyped(options), () => {});
      assert.deepEqual(await issuesOf(call()), [issue]);
    });
  }

  test("a call without a handler is a TypeError", async () => {
    const { tracker } = await subscribed();
    assert.throws(() => tracker.subscriptions.consume("all", untyped(undefined)), TypeError);
    assert.throws(() => tracker.subscriptions.consume("all", {}, untyped("log")), TypeError);
  });

  test("a consumer waits for its subscription, also after its deletion, and reports once that it is missing", async () => {
    const storage = memoryStorage();
    const { tracker, errors } = await subscribed(storage);
    const { subscriptions } = tracker;
    assert.equal((await refusalOf(subscriptions.consume("other", caughtUp, () => {}))).code, "definition_not_found");
    assert.deepEqual(errors, []);
    const seen = [deferred<string>(), deferred<string>()];
    const handled = { count: 0 };
    const worker = subscriptions.consume("late", (change) => seen[handled.count++]?.resolve(named(change)));
    const on = { contacts: true } as const;
    await missed(storage);
    await subscriptions.define({ key: "late", on });
    await tracker.contacts.upsert(ada);
    assert.equal(await seen[0]!.promise, "contact_created");
    assert.deepEqual(errors, ['There is no subscription "late".']);
    await subscriptions.delete("late");
    await missed(storage);
    await subscriptions.define({ key: "late", on });
    await tracker.contacts.upsert({ email: "bob@example.com" });
    assert.equal(await seen[1]!.promise, "contact_created");
    await worker.stop();
    await worker.ended;
    assert.equal(errors.length, 2);
  });

  test("changes that are no longer kept end the consumer until it resumes", async () => {
    const { tracker, storage, errors } = await subscribed();
    const { subscriptions } = tracker;
    await tracker.contacts.upsert(ada);
    await storage.removeOldChanges(Date.now() + 8 * 86_400_000);
    await tracker.contacts.upsert({ email: "bob@example.com" });
    const seen: string[] = [];
    const consume = () =>
      subscriptions.consume("all", caughtUp, ({ contact }) => void ("email" in contact && seen.push(contact.email)));
    assert.equal((await refusalOf(consume())).code, "changes_expired");
    const worker = subscriptions.consume("all", () => {});
    assert.equal((await refusalOf(worker.ended)).code, "changes_expired");
    assert.equal(errors.length, 1);
    await subscriptions.resume("all", { from: "oldest" });
    assert.deepEqual(await consume(), { handled: 1, failed: 0 });
    assert.deepEqual(seen, ["bob@example.com"]);
  });

  test("the close stops consumers, and waits for their handlers", async () => {
    const { tracker } = await subscribed();
    const begun = deferred();
    const end = deferred();
    const worker = tracker.subscriptions.consume("all", async () => {
      begun.resolve();
      await end.promise;
    });
    await tracker.contacts.upsert(ada);
    await begun.promise;
    let isClosed = false;
    const closing = tracker.close().then(() => (isClosed = true));
    await new Promise(setImmediate);
    assert.equal(isClosed, false);
    end.resolve();
    await closing;
    await worker.ended;
    const late = tracker.subscriptions.consume("all", () => {});
    assert.equal((await refusalOf(late.ended)).code, "storage_unavailable");
  });

  test("a consumer that the close stops before it is caught up rejects", async () => {
    const { tracker } = await subscribed();
    const begun = deferred();
    const consuming = tracker.subscriptions.consume("all", caughtUp, () => begun.resolve());
    for (let n = 0; n < 3; n++) await tracker.contacts.upsert({ email: `c${n}@example.com` });
    await begun.promise;
    const closing = tracker.close();
    assert.equal((await refusalOf(consuming)).code, "storage_unavailable");
    await closing;
  });
});
