import assert from "node:assert/strict";
import { createBatcher, type ItemAnswer } from "../../../lib/client/batches.ts";
import { TrackerError } from "../../../lib/index.ts";
import { createPatience, pause } from "../../../lib/client/retries.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

interface Item {
  n: number;
  text?: string;
}

/** A batcher of a server that answers each item by this function, and the items of each batch that it was sent. */
function batcherOf(
  answer: (item: Item, batch: Item[]) => ItemAnswer,
  maxWaitMs = 60_000,
): {
  add(item: Item): Promise<ItemAnswer>;
  sent: number[][];
} {
  const sent: number[][] = [];
  const send = async (body: string): Promise<ItemAnswer[]> => {
    const { items } = JSON.parse(body) as { items: Item[] };
    sent.push(items.map(({ n }) => n));
    return items.map((item) => answer(item, items));
  };
  const patience = createPatience(maxWaitMs);
  const options = { onRetry: () => {}, signal: undefined, patience };
  const batcher = createBatcher({
    isSilent: false,
    send,
    pause: (attempt, error) => pause({ method: "POST", path: "/batch", attempt, error }, options),
    fields: ["contact"],
    patience,
  });
  return { add: (item) => batcher(JSON.stringify(item)), sent };
}

const done = ({ n }: Item): ItemAnswer => ({ status: 201, body: { success: true, n, contact: {} } });
const refused = (code: string): ItemAnswer => ({
  status: 503,
  body: { success: false, error: { code, message: "No." } },
});
const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

suite("the client's batches", (test) => {
  test("hold what was added in one turn, at most 500 items, in its order, one batch at a time", async () => {
    const { add, sent } = batcherOf(done);
    const answers = await Promise.all(range(1_100).map((n) => add({ n })));
    assert.deepEqual(
      answers.map(({ body }) => body["n"]),
      range(1_100),
    );
    assert.deepEqual(
      sent.map(({ length }) => length),
      [500, 500, 100],
    );
    assert.deepEqual(sent.flat(), range(1_100));
  });

  test("hold at most what a body may have", async () => {
    const { add, sent } = batcherOf(done);
    await Promise.all(range(40).map((n) => add({ n, text: "x".repeat(60_000) })));
    assert.ok(sent.length >= 3);
    assert.deepEqual(sent.flat(), range(40));
  });

  test("are halved for a server that takes less", async () => {
    const { add, sent } = batcherOf((item, batch) => {
      if (batch.length > 2) throw new TrackerError("body_too_large");
      return done(item);
    });
    await Promise.all(range(8).map((n) => add({ n })));
    assert.deepEqual(
      sent.filter(({ length }) => length <= 2),
      [
        [0, 1],
        [2, 3],
        [4, 5],
        [6, 7],
      ],
    );
  });

  test("send an item that the storage was not there for again with all after it, so that a contact's items keep their order", async () => {
    let failures = 3;
    const { add, sent } = batcherOf((item) =>
      item.n === 1 && failures-- > 0 ? refused("storage_unavailable") : done(item),
    );
    const first = Promise.all([0, 1, 2].map((n) => add({ n })));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([first, add({ n: 3 })]);
    assert.deepEqual(sent, [[0, 1, 2], [1, 2], [1, 2], [1, 2], [3]]);
  });

  test("send items again as long as each try has answers to some", async () => {
    const { add, sent } = batcherOf((item, batch) => (item === batch[0] ? done(item) : refused("storage_unavailable")));
    const answers = await Promise.all(range(10).map((n) => add({ n })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      range(10).map(() => 201),
    );
    assert.deepEqual(
      sent.map(({ length }) => length),
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    );
  });

  test("reject an item that is refused with its own error, and the others go through", async () => {
    const { add } = batcherOf((item) => (item.n === 1 ? refused("contact_not_found") : done(item)));
    const [, second, third] = [add({ n: 0 }), refusalOf(add({ n: 1 })), add({ n: 2 })];
    assert.deepEqual([(await second!).code, (await third!).status], ["contact_not_found", 201]);
  });

  test("are not halved when the time of the list is over", async () => {
    const { add, sent } = batcherOf(() => {
      throw new TrackerError("body_too_large");
    }, -1);
    for (const call of range(8).map((n) => refusalOf(add({ n })))) assert.equal((await call).code, "body_too_large");
    assert.equal(sent.length, 1);
  });

  test("take an item without its fields for one that was not answered", async () => {
    for (const contact of [undefined, null, "text", []]) {
      const { add, sent } = batcherOf(({ n }) =>
        sent.length === 1 ? { status: 200, body: { success: true, contact } } : done({ n }),
      );
      assert.deepEqual((await add({ n: 0 })).body["contact"], {});
      assert.equal(sent.length, 2);
    }
  });

  test("say that the writes stay out of subscriptions only if they do", async () => {
    for (const isSilent of [true, false]) {
      const bodies: unknown[] = [];
      const patience = createPatience(60_000);
      const send = async (body: string): Promise<ItemAnswer[]> => {
        bodies.push(JSON.parse(body));
        return [done({ n: 0 })];
      };
      await createBatcher({ isSilent, send, pause: async () => {}, fields: ["contact"], patience })('{"n":0}');
      assert.deepEqual(bodies, [{ items: [{ n: 0 }], ...(isSilent && { notify: false }) }]);
    }
  });

  test("reject every item of a batch that fails", async () => {
    const { add } = batcherOf(() => {
      throw new TrackerError("forbidden");
    });
    for (const call of [add({ n: 0 }), add({ n: 1 })].map(refusalOf)) assert.equal((await call).code, "forbidden");
  });
});
