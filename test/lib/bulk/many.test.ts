import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createTracker, type KeyedEvent, type NewContact } from "../../../lib/index.ts";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const contactsOf = (count: number): NewContact[] => range(count).map((n) => ({ email: `${n}@example.com` }));
const step: KeyedEvent = { externalId: "ada@example.com", eventKey: "step" };

const apart = {
  "the process does other work after every 50 items": "the client waits for a request after every batch",
  "each item of a closed storage fails": "the client asks for 30 s again",
};

async function trackerOfAda() {
  const opened = stoppedTracker();
  await opened.tracker.contacts.upsert({ email: "ada@example.com" });
  return opened;
}

async function* streamOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) {
    await sleep(0);
    yield item;
  }
}

interfaceSuite({ name: "many at once", apart }, (test) => {
  test("contacts of an array, an iterable and an asynchronous iterable are upserted, and counted", async () => {
    const { tracker } = stoppedTracker();
    const contacts = contactsOf(6);
    assert.deepEqual(await tracker.contacts.upsertMany(contacts.slice(0, 2)), { ok: 2, failed: 0 });
    assert.deepEqual(await tracker.contacts.upsertMany(new Set(contacts.slice(1, 4))), { ok: 3, failed: 0 });
    assert.deepEqual(await tracker.contacts.upsertMany(streamOf(contacts.slice(4))), { ok: 2, failed: 0 });
    assert.deepEqual(await tracker.contacts.upsertMany([]), { ok: 0, failed: 0 });
    assert.equal((await tracker.contacts.list()).items.length, 6);
  });

  test("each result is what the method for one item gives, in the order of the items", async () => {
    const { tracker } = await trackerOfAda();
    const told: unknown[] = [];
    const items = [
      { ...step, idempotencyKey: "k" },
      { ...step, idempotencyKey: "k" },
      { ...step, idempotencyKey: "k", eventKey: "other" },
      { ...step, externalId: "nobody" },
      { ...step, idempotencyKey: "a b", eventKey: "" },
      untyped(null),
    ];
    const counts = await tracker.events.trackMany(items, (result, index) => {
      told.push([index, result.ok ? result.replayed : result.error.code]);
    });
    assert.deepEqual(told, [
      [0, false],
      [1, true],
      [2, "idempotency_key_reused"],
      [3, "contact_not_found"],
      [4, "invalid_input"],
      [5, "invalid_input"],
    ]);
    assert.deepEqual(counts, { ok: 2, failed: 4 });
    const { items: listed } = await tracker.events.list("ada@example.com");
    await tracker.events.trackMany([step], (result) => {
      assert.deepEqual(result.ok && Object.keys(result), ["ok", "event", "completedChecklistItems", "replayed"]);
    });
    assert.equal(listed.length, 1);
  });

  test("a problem of an item names its field", async () => {
    const { tracker } = await trackerOfAda();
    const issues: string[] = [];
    await tracker.events.trackMany([{ ...step, eventKey: "", idempotencyKey: "é" }], (result) => {
      if (!result.ok) issues.push(...result.error.issues.map(({ path, code }) => `${path} ${code}`));
    });
    assert.deepEqual(issues, ["eventKey too_short", "idempotencyKey invalid_format"]);
  });

  test("items of one contact keep their order, also if one needs the definitions of attributes and the next does not", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.contacts.upsertMany([
      { email: "ada@example.com", name: "1", customAttributes: { seats: 1 } },
      { email: "ada@example.com", name: "2" },
      { email: "ada@example.com", customAttributes: { seats: 3 } },
    ]);
    const ada = await tracker.contacts.get("ada@example.com");
    assert.deepEqual([ada?.name, ada?.customAttributes], ["2", { seats: 3 }]);
  });

  test("the next result is told when the promise for the last one has resolved", async () => {
    const { tracker } = stoppedTracker();
    const log: string[] = [];
    await tracker.contacts.upsertMany(contactsOf(3), async (_, index) => {
      log.push(`begin ${index}`);
      await sleep(1);
      log.push(`end ${index}`);
    });
    assert.deepEqual(log, ["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"]);
  });

  test("a source that is slow has what it gave written meanwhile", async () => {
    const { tracker } = await trackerOfAda();
    let recorded = (): void => {};
    const isRecorded = new Promise<void>((resolve) => (recorded = resolve));
    async function* slow(): AsyncGenerator<KeyedEvent> {
      yield step;
      await isRecorded;
      yield step;
    }
    assert.deepEqual(await tracker.events.trackMany(slow(), () => recorded()), { ok: 2, failed: 0 });
  });

  test("at most 2,000 items are taken before their results are told", async () => {
    const { tracker } = await trackerOfAda();
    let [taken, told, most] = [0, 0, 0];
    function* source(): Generator<KeyedEvent> {
      for (; taken < 10_000; taken++) {
        most = Math.max(most, taken - told);
        yield step;
      }
    }
    const counts = await tracker.events.trackMany(source(), async () => {
      await Promise.resolve();
      told++;
    });
    assert.deepEqual(counts, { ok: 10_000, failed: 0 });
    assert.ok(most <= 2_000, `${most}`);
  });

  test("at most 4 MiB are taken before their results are told", async () => {
    const { tracker } = await trackerOfAda();
    const properties = Object.fromEntries(range(256).map((n) => [`p${n}`, "x".repeat(4_000)]));
    let [taken, told, most] = [0, 0, 0];
    function* source(): Generator<KeyedEvent> {
      for (; taken < 50; taken++) {
        most = Math.max(most, taken - told);
        yield { ...step, properties };
      }
    }
    await tracker.events.trackMany(source(), () => void told++);
    assert.ok(most <= 5, `${most}`);
  });

  test("the process does other work after every 50 items", async () => {
    const { tracker } = await trackerOfAda();
    for (const write of [
      () => tracker.contacts.upsertMany(contactsOf(1_000)),
      () => tracker.events.trackMany(range(1_000).map(() => step)),
    ]) {
      let turns = 0;
      const count = (): unknown => setImmediate(() => ++turns < 1_000 && count());
      count();
      await write();
      assert.ok(turns >= 1_000 / 50, `${turns}`);
      turns = 1_000;
    }
  });

  test("a source that throws rejects after what was under way, all of which is told", async () => {
    const { tracker } = await trackerOfAda();
    const fault = new Error("the file ends");
    function* broken(): Generator<KeyedEvent> {
      yield step;
      yield step;
      throw fault;
    }
    const told: number[] = [];
    await assert.rejects(
      tracker.events.trackMany(broken(), (_, index) => told.push(index)),
      (error) => error === fault,
    );
    assert.deepEqual(told, [0, 1]);
    assert.equal((await tracker.events.list("ada@example.com")).items.length, 2);
  });

  for (const isAsync of [false, true]) {
    const kind = isAsync ? "an asynchronous source" : "the source";
    test(`a function that throws is called no more, and ${kind} is closed once, after the item that it gave last`, async () => {
      const { tracker } = await trackerOfAda();
      let closed = 0;
      function* endless(): Generator<KeyedEvent> {
        try {
          for (;;) yield step;
        } finally {
          closed++;
        }
      }
      async function* endlessAsync(): AsyncGenerator<KeyedEvent> {
        yield* endless();
      }
      const fault = new Error("no");
      const told: number[] = [];
      const call = tracker.events.trackMany(isAsync ? endlessAsync() : endless(), (_, index) => {
        told.push(index);
        if (index === 3) throw fault;
      });
      await assert.rejects(call, (error) => error === fault);
      assert.deepEqual([told, closed], [[0, 1, 2, 3], 1]);
    });
  }

  test("a function that throws while the source is idle rejects at once, and the source is closed and asked no more", async () => {
    const { tracker } = await trackerOfAda();
    const log: string[] = [];
    let give: (given: IteratorResult<KeyedEvent>) => void = () => {};
    const items: AsyncIterable<KeyedEvent> = {
      [Symbol.asyncIterator]: () => ({
        next() {
          log.push("next");
          const isFirst = log.length === 1;
          return isFirst ? Promise.resolve({ done: false, value: step }) : new Promise((resolve) => (give = resolve));
        },
        return() {
          log.push("return");
          return Promise.reject(new Error("the source cannot be closed"));
        },
      }),
    };
    const fault = new Error("no");
    const call = tracker.events.trackMany(items, () => {
      throw fault;
    });
    await assert.rejects(call, (error) => error === fault);
    give({ done: false, value: step });
    await sleep(10);
    assert.deepEqual(log, ["next", "next", "return"]);
    assert.equal((await tracker.events.list("ada@example.com")).items.length, 1);
  });

  test("the storage gets 50 items at once", async () => {
    const sizes: number[] = [];
    const inner = memoryStorage();
    const storage: typeof inner = {
      ...inner,
      upsertContacts: (items) => (sizes.push(items.length), inner.upsertContacts(items)),
      recordEvents: (items) => (sizes.push(items.length), inner.recordEvents(items)),
    };
    const tracker = createTracker({ storage });
    await tracker.contacts.upsertMany(contactsOf(120));
    await tracker.events.trackMany(range(120).map((n) => ({ externalId: `${n}@example.com`, eventKey: "step" })));
    assert.deepEqual(sizes, [50, 50, 20, 50, 50, 20]);
  });

  test("an error of the storage that no TrackerError tells rejects", async () => {
    const fault = new Error("a defect");
    const storage = { ...memoryStorage(), recordEvents: () => Promise.reject(fault) };
    const tracker = createTracker({ storage });
    await assert.rejects(tracker.events.trackMany([step, step]), (error) => error === fault);
  });

  test("each item of a closed storage fails", async () => {
    const { tracker } = await trackerOfAda();
    await tracker.close();
    assert.deepEqual(await tracker.events.trackMany([step, step]), { ok: 0, failed: 2 });
    assert.equal((await refusalOf(tracker.events.track(step))).code, "storage_unavailable");
  });

  test("it starts when it is called", async () => {
    const { tracker } = await trackerOfAda();
    let isTaken = false;
    function* source(): Generator<KeyedEvent> {
      isTaken = true;
      yield step;
    }
    const call = tracker.events.trackMany(source());
    assert.equal(isTaken, true);
    await call;
  });
});
