import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { memoryStorage, type MemoryStorage } from "../../../adapters/memory/index.ts";
import { deferred, named, subscribed, trackerOn, type Subscribed } from "../../support/consuming.ts";
import { suite } from "../../support/suite.ts";
import { within } from "../../support/within.ts";

const ada = { email: "ada@example.com" };
const caughtUp = { until: "caught-up" } as const;

/** A tracker on the storage whose acknowledgements outside of transactions wait: as if the process stood still. */
function frozen(storage: MemoryStorage): { tracker: Subscribed["tracker"]; thaw(): void } {
  const { promise, resolve } = deferred();
  const acknowledge: MemoryStorage["acknowledge"] = async (...args) => {
    await promise;
    return storage.acknowledge(...args);
  };
  return { tracker: trackerOn({ ...storage, acknowledge }), thaw: () => resolve() };
}

suite({ name: "a consumer", atOnce: 8 }, (test) => {
  test("a consumer is woken by what the same storage commits", async () => {
    const { tracker } = await subscribed();
    let handled = deferred();
    const worker = tracker.subscriptions.consume("all", () => handled.resolve());
    const handleAll = async (): Promise<void> => {
      for (let n = 0; n < 20; n++) {
        handled = deferred();
        // The look with which the consumer begins to wait is over then, and the next one is 750 ms later.
        await pause(100);
        await tracker.contacts.upsert({ email: `c${n}@example.com` });
        await handled.promise;
      }
    };
    await within(10_000, "twenty changes", handleAll());
    await worker.stop();
  });

  test("an idle consumer takes no changes", async () => {
    const storage = memoryStorage();
    let calls = 0;
    const takeChanges: MemoryStorage["takeChanges"] = (...args) => {
      calls++;
      return storage.takeChanges(...args);
    };
    const { tracker } = await subscribed({ ...storage, takeChanges });
    const worker = tracker.subscriptions.consume("all", () => {});
    await pause(1_200);
    await worker.stop();
    assert.equal(calls, 1);
  });

  test("it survives that the storage is not available, and reports other errors", async () => {
    const storage = memoryStorage();
    const failures = [new Error("broken")];
    const takeChanges: MemoryStorage["takeChanges"] = async (...args) => {
      const failure = failures.pop();
      if (failure) throw failure;
      return storage.takeChanges(...args);
    };
    const { tracker, errors } = await subscribed({ ...storage, takeChanges });
    const closed = memoryStorage();
    await closed.close();
    await closed.countContacts("default").catch((error: Error) => failures.push(error));
    const handled = deferred();
    const worker = tracker.subscriptions.consume("all", () => handled.resolve());
    await tracker.contacts.upsert(ada);
    await handled.promise;
    await worker.stop();
    assert.deepEqual(errors, ["broken"]);
  });

  test("a handler whose consumer was succeeded is told so, and its failure does not count", async () => {
    const { tracker, storage } = await subscribed();
    await tracker.contacts.upsert(ada);
    const { tracker: still, thaw } = frozen(storage);
    const begun = deferred();
    const aborted = deferred<string>();
    const first = still.subscriptions.consume("all", { leaseSeconds: 0.1, tries: 1 }, async (_, { signal }) => {
      signal.addEventListener("abort", () => aborted.resolve((signal.reason as Error).message));
      begun.resolve();
      await aborted.promise;
      throw new Error("late");
    });
    await begun.promise;
    assert.deepEqual(await tracker.subscriptions.consume("all", caughtUp, () => {}), { handled: 1, failed: 0 });
    thaw();
    assert.match(await aborted.promise, /taken over/);
    await first.stop();
    assert.deepEqual((await tracker.subscriptions.parked("all")).items, []);
  });

  test("a consumer that gets changes after the end of its lease begins none", async () => {
    const { tracker, storage } = await subscribed();
    await tracker.contacts.upsert(ada);
    const taken = deferred();
    const successor = deferred();
    const again = deferred();
    let calls = 0;
    const takeChanges: MemoryStorage["takeChanges"] = async (...args) => {
      if (++calls === 2) again.resolve();
      const answer = await storage.takeChanges(...args);
      taken.resolve();
      await successor.promise;
      return answer;
    };
    const seen: string[] = [];
    const slow = trackerOn({ ...storage, takeChanges }).subscriptions;
    const first = slow.consume("all", { leaseSeconds: 0.1 }, (change) => void seen.push(named(change)));
    await taken.promise;
    assert.deepEqual(await tracker.subscriptions.consume("all", caughtUp, () => {}), { handled: 1, failed: 0 });
    successor.resolve();
    await again.promise;
    await first.stop();
    assert.deepEqual(seen, []);
  });

  test("in a transaction the rows of a consumer that was succeeded are rolled back", async () => {
    const { tracker, storage } = await subscribed();
    await tracker.subscriptions.define({ key: "all", on: { contacts: true } });
    await tracker.contacts.upsert(ada);
    const ended = deferred<PromiseSettledResult<unknown>>();
    const transaction: MemoryStorage["transaction"] = async (run) => {
      const [outcome] = await Promise.allSettled([storage.transaction(run)]);
      ended.resolve(outcome);
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    };
    // Its renewals wait, so that only the transaction finds out.
    const { tracker: still, thaw } = frozen({ ...storage, transaction });
    const begun = deferred();
    const successor = deferred();
    const reward = { externalId: "ada@example.com", eventKey: "reward" };
    const options = { transaction: true, leaseSeconds: 0.1, tries: 1 } as const;
    const first = still.subscriptions.consume("all", options, async (_, { tx }) => {
      begun.resolve();
      await successor.promise;
      await tx.events.track(reward);
    });
    await begun.promise;
    const second = await tracker.subscriptions.consume("all", { ...options, ...caughtUp }, (_, { tx }) =>
      tx.events.track(reward),
    );
    assert.deepEqual(second, { handled: 1, failed: 0 });
    successor.resolve();
    assert.equal((await ended.promise).status, "rejected");
    thaw();
    await first.stop();
    assert.equal((await tracker.events.list(ada.email)).items.length, 1);
    assert.deepEqual((await tracker.subscriptions.parked("all")).items, []);
  });

  test("a lease is renewed while its handler runs", async () => {
    const { tracker, storage } = await subscribed();
    await tracker.contacts.upsert(ada);
    const begun = deferred();
    const end = deferred();
    const options = { leaseSeconds: 0.5 };
    const worker = tracker.subscriptions.consume("all", options, async () => {
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    const other = trackerOn(storage).subscriptions.consume("all", caughtUp, () => {});
    await pause(1_000);
    end.resolve();
    assert.deepEqual(await other, { handled: 0, failed: 0 });
    await worker.stop();
  });

  test("a consumer counts the changes that it has handled, and the tries that failed", async () => {
    const { tracker } = await subscribed();
    const last = deferred();
    const worker = tracker.subscriptions.consume("all", { tries: 1 }, (change) => {
      if (named(change) === "bad") throw new Error("no");
      if (named(change) === "last") last.resolve();
    });
    assert.deepEqual(worker.stats(), { handled: 0, failed: 0 });
    await tracker.contacts.upsert(ada);
    await tracker.contacts.upsert({ email: "bob@example.com" });
    await tracker.events.track({ externalId: "bob@example.com", eventKey: "bad" });
    await tracker.events.track({ externalId: ada.email, eventKey: "last" });
    await last.promise;
    await worker.stop();
    assert.deepEqual(worker.stats(), { handled: 3, failed: 1 });
  });
});
