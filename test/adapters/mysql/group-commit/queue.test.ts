import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createQueue, type Queue, type Queued } from "../../../../adapters/mysql/group-commit/queue.ts";
import { faultless, recordAll } from "../../../../adapters/storage-contract/calls.ts";
import { contactDraft, eventDraft } from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../../../lib/index.ts";
import { database } from "../../../support/mysql.ts";
import { countRows, proxiedBy } from "../../../support/proxied.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { suite } from "../../../support/suite.ts";
import { within } from "../../../support/within.ts";

const server = await database();
const proxied = proxiedBy(server);

const entry = (bytes: number, ...names: string[]): Queued => load(bytes, false, names);
const load = (bytes: number, waits = false, names: string[] = []): Queued => {
  return { bytes, names, isAlone: false, waits, position: 0 };
};
const newQueue = (onEnter = (): void => {}): Queue<Queued> => createQueue(onEnter);
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** How many entries each batch takes. */
function batchSizes(entries: readonly Queued[]): number[] {
  const queue = newQueue();
  for (const each of entries) queue.enter(each);
  const sizes: number[] = [];
  for (;;) {
    const { length } = queue.takeBatch();
    if (length === 0) return sizes;
    sizes.push(length);
  }
}

suite("the queue of writes", (test) => {
  test("a batch takes at most 500 items, in the order they came", () => {
    assert.deepEqual(batchSizes(range(1_200).map(() => entry(1))), [500, 500, 200]);
  });

  test("a batch takes at most 1 MiB, and an item of more alone", () => {
    assert.deepEqual(batchSizes([entry(1_048_575), entry(1), entry(1)]), [2, 1]);
    assert.deepEqual(batchSizes([entry(2_000_000), entry(1)]), [1, 1]);
    assert.deepEqual(batchSizes([entry(1), entry(2_000_000)]), [1, 1]);
  });

  test("a write waits for the batch that writes to its contact, and other writes overtake it", () => {
    const queue = newQueue();
    const [ada, again, carol] = [entry(1, "ada", "bob"), entry(1, "bob"), entry(1, "carol")];
    queue.enter(ada);
    const batch = queue.takeBatch();
    for (const each of [again, carol]) queue.enter(each);
    assert.deepEqual([batch, queue.takeBatch(), queue.takeBatch()], [[ada], [carol], []]);
    queue.leave(ada);
    assert.deepEqual(queue.takeBatch(), [again]);
  });

  test("a write waits for one that waits and has a name in common with it", () => {
    const queue = newQueue();
    const [ada, both, bob, carol] = [entry(1, "ada"), entry(1, "ada", "bob"), entry(1, "bob"), entry(1, "carol")];
    queue.enter(ada);
    queue.takeBatch();
    for (const each of [both, bob, carol]) queue.enter(each);
    assert.deepEqual(queue.takeBatch(), [carol]);
    queue.leave(ada);
    assert.deepEqual(queue.takeBatch(), [both, bob]);
  });

  test("what is put back is taken before what came later", () => {
    const queue = newQueue();
    const entries = range(4).map(() => entry(1, "ada"));
    for (const each of entries.slice(0, 3)) queue.enter(each);
    const [first, second, third] = queue.takeBatch();
    queue.enter(entries[3]!);
    queue.putBack([second!]);
    queue.putBack([third!]);
    assert.deepEqual(queue.takeBatch(), []);
    queue.putBack([first!]);
    assert.deepEqual(queue.takeBatch(), entries);
  });

  test("10,000 items may be under way, and one that leaves makes room for one", () => {
    const queue = newQueue();
    const one = load(1);
    for (let n = 0; n < 10_000; n++) assert.equal(queue.enter(one), true);
    assert.equal(queue.enter(one), false);
    queue.leave(one);
    assert.deepEqual([queue.enter(one), queue.enter(one)], [true, false]);
  });

  test("64 MiB may be under way, and each write that ends makes room for its size", () => {
    const queue = newQueue();
    const half = load(33_554_432);
    assert.deepEqual([queue.enter(half), queue.enter(half), queue.enter(load(1))], [true, true, false]);
    queue.leave(half);
    assert.deepEqual([queue.enter(half), queue.enter(load(1))], [true, false]);
  });

  test("writes that wait for room take at most half of it, and are let in in their order", () => {
    let letIn = 0;
    const queue = newQueue(() => void letIn++);
    const waiting = load(1, true);
    for (let n = 0; n < 12_000; n++) assert.equal(queue.enter(waiting), true);
    assert.equal(letIn, 5_000);
    for (let n = 0; n < 5_000; n++) assert.equal(queue.enter(load(1)), true);
    assert.equal(queue.enter(load(1)), false);
    queue.leave(load(1));
    assert.equal(letIn, 10_000);
    for (let n = 0; n < 6_000; n++) queue.leave(waiting);
    assert.deepEqual([letIn, queue.size().items, queue.close().length], [16_000, 9_999, 1_000]);
  });

  if (!server) return;

  test("1,200 events asked for at once are three transactions, and 3 MiB of events at least three", () =>
    proxied(async ({ through, proxy }) => {
      await through.upsertContacts([contactDraft()]);
      const commitsOf = async (drafts: ReturnType<typeof eventDraft>[]): Promise<number> => {
        const before = proxy.seen.commits;
        await Promise.all(drafts.map((draft) => through.recordEvents([draft])));
        return proxy.seen.commits - before;
      };
      assert.equal(await commitsOf(range(1_200).map(() => eventDraft())), 3);
      const properties = JSON.stringify({ text: "x".repeat(31_457) });
      const commits = await commitsOf(range(100).map(() => eventDraft({ properties })));
      assert.ok(commits >= 3 && commits <= 5, `${commits}`);
    }));

  test("beyond 10,000 items under way a frozen database is storage_unavailable at once, and all that was let in is written once when it thaws", () =>
    proxied(async (opened) => {
      const { through, proxy } = opened;
      await through.upsertContacts([contactDraft()]);
      const { key } = await createTracker({ storage: opened.storage }).apiKeys.create({ name: "backend" });
      const tracker = createTracker({ storage: through, rateLimit: false });
      // Looked up before the freeze.
      const ask = (): Promise<Response> => tracker.handle(upsertOver(key));
      assert.equal((await ask()).status, 201);
      const events = range(10).map(() => range(1_000).map(() => eventDraft()));
      const contacts = range(10).map((n) =>
        range(1_000).map((m) => contactDraft({ email: `${n * 1_000 + m}@example.com` })),
      );
      // For a short time only: a call waits 5 s.
      proxy.freeze();
      const calls: Promise<unknown>[] = events.map((drafts) => recordAll(through, drafts));
      const refusal = await refusalOf(recordAll(through, [eventDraft()]));
      assert.deepEqual([refusal.code, (refusal.cause as { code: string }).code], ["storage_unavailable", "queue_full"]);
      const upserts = contacts.map(async (drafts) => (await through.upsertContacts(drafts)).forEach(faultless));
      const response = await ask();
      assert.deepEqual([response.status, Number(response.headers.get("retry-after")) >= 1], [503, true]);
      proxy.thaw();
      const settled = await Promise.allSettled([...calls, ...upserts]);
      const refusals = settled.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason)] : []));
      assert.deepEqual([...new Set(refusals)], []);
      assert.deepEqual([await countRows(opened, "events"), await countRows(opened, "contacts")], [10_000, 10_002]);
      assert.equal((await through.recordEvents([eventDraft()])).length, 1);
      assert.equal((await ask()).status, 200);
    }));

  test("what the methods ask for waits for room, and leaves half of it to requests", () =>
    proxied(async (opened) => {
      const { through, proxy } = opened;
      const tracker = createTracker({ storage: through });
      await tracker.contacts.upsert({ email: "ada@example.com" });
      const { key } = await tracker.apiKeys.create({ name: "backend" });
      await tracker.handle(upsertOver(key));
      proxy.freeze();
      const calls = range(6_000).map((n) => tracker.contacts.upsert({ email: `${n}@example.com` }));
      await nextTurn();
      assert.equal(through.stats().contacts.queuedItems, 5_000);
      const asked = tracker.handle(upsertOver(key));
      proxy.thaw();
      assert.equal((await asked).status, 200);
      assert.equal(new Set((await Promise.all(calls)).map(({ contact }) => contact.id)).size, 6_000);
    }));

  test("while the database does not answer, what is queued is not tried one batch after another", () =>
    proxied(async ({ through, proxy }) => {
      await through.upsertContacts([contactDraft()]);
      proxy.freeze();
      try {
        // Eight batches, two at once, of which each would wait for 5 s.
        const calls = range(4_000).map(() => refusalOf(recordAll(through, [eventDraft()])));
        const refusals = await within(16_000, "the refusals", Promise.all(calls));
        assert.deepEqual(new Set(refusals.map(({ code }) => code)), new Set(["storage_unavailable"]));
      } finally {
        proxy.thaw();
      }
    }));
});

function upsertOver(key: string): Request {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ email: "ada@example.com" });
  return new Request("http://localhost/api/v1/contacts", { method: "POST", headers, body });
}
