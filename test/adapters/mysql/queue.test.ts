import assert from "node:assert/strict";
import { createQueue, type Load } from "../../../adapters/mysql/group-commit/queue.ts";
import { contactDraft, eventDraft } from "../../../adapters/storage-contract/drafts.ts";
import { createTracker, type TrackerError } from "../../../lib/index.ts";
import { database } from "../../support/mysql.ts";
import { countRows, proxiedBy } from "../../support/proxied.ts";
import { suite } from "../../support/suite.ts";

const server = await database();
const proxied = proxiedBy(server);

const load = (items: number, bytes: number, ...targets: string[]): Load => ({
  items: Array.from({ length: items }),
  bytes,
  targets,
});
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** How many calls each batch takes. */
function batchSizes(calls: readonly Load[]): number[] {
  const queue = createQueue();
  for (const call of calls) queue.put(call);
  const sizes: number[] = [];
  for (;;) {
    const { length } = queue.takeBatch();
    if (length === 0) return sizes;
    sizes.push(length);
  }
}

suite("the queue of writes", (test) => {
  test("a batch takes at most 500 items, in the order they came", () => {
    assert.deepEqual(batchSizes(range(1_200).map(() => load(1, 1))), [500, 500, 200]);
    assert.deepEqual(batchSizes([load(499, 1), load(1, 1), load(1, 1)]), [2, 1]);
    assert.deepEqual(batchSizes([load(499, 1), load(2, 1), load(1, 1)]), [1, 2]);
  });

  test("a batch takes at most 1 MiB, and a call of more alone", () => {
    assert.deepEqual(batchSizes([load(1, 1_048_575), load(1, 1), load(1, 1)]), [2, 1]);
    assert.deepEqual(batchSizes([load(1, 2_000_000), load(1, 1)]), [1, 1]);
    assert.deepEqual(batchSizes([load(1, 1), load(1, 2_000_000)]), [1, 1]);
  });

  test("a write waits for the batch that writes to its contact, and other writes overtake it", () => {
    const queue = createQueue();
    const [ada, again, carol] = [load(1, 1, "ada", "bob"), load(1, 1, "bob"), load(1, 1, "carol")];
    queue.put(ada);
    const batch = queue.takeBatch();
    for (const call of [again, carol]) queue.put(call);
    assert.deepEqual([batch, queue.takeBatch(), queue.takeBatch()], [[ada], [carol], []]);
    queue.finish(batch);
    assert.deepEqual(queue.takeBatch(), [again]);
  });

  test("10,000 items may be under way, and one that leaves makes room for one", () => {
    const queue = createQueue();
    const one = load(1, 1);
    for (let n = 0; n < 10_000; n++) assert.equal(queue.enter(one), true);
    assert.equal(queue.enter(one), false);
    queue.leave(one);
    assert.deepEqual([queue.enter(one), queue.enter(one)], [true, false]);
  });

  test("64 MiB may be under way, and each write that ends makes room for its size", () => {
    const queue = createQueue();
    const half = load(1, 33_554_432);
    assert.deepEqual([queue.enter(half), queue.enter(half), queue.enter(load(1, 1))], [true, true, false]);
    queue.leave(half);
    assert.deepEqual([queue.enter(half), queue.enter(load(1, 1))], [true, false]);
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
      proxy.freeze();
      const drafts = range(10_000).map(() => eventDraft());
      const calls = drafts.map((draft) => through.recordEvents([draft]));
      const refused = await through.recordEvents([eventDraft()]).catch((error: TrackerError) => error.code);
      assert.equal(refused, "storage_unavailable");
      const contacts = range(10_000).map((n) => through.upsertContacts([contactDraft({ email: `${n}@example.com` })]));
      const response = await ask();
      assert.deepEqual([response.status, Number(response.headers.get("retry-after")) >= 1], [503, true]);
      proxy.thaw();
      const settled = await Promise.allSettled([...calls, ...contacts]);
      const refusals = settled.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason)] : []));
      assert.deepEqual([...new Set(refusals)], []);
      assert.deepEqual([await countRows(opened, "events"), await countRows(opened, "contacts")], [10_000, 10_002]);
      assert.equal((await through.recordEvents([eventDraft()])).length, 1);
      assert.equal((await ask()).status, 200);
    }));
});

function upsertOver(key: string): Request {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ email: "ada@example.com" });
  return new Request("http://localhost/api/v1/contacts", { method: "POST", headers, body });
}
