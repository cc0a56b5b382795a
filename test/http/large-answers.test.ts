import assert from "node:assert/strict";
import { answerInTurns } from "../../lib/http/answer.ts";
import { suite } from "../support/suite.ts";

/** Awaits the value. Returns it, and the turns of the event loop until then. */
async function inTurns<Value>(value: Value | Promise<Value>): Promise<{ value: Value; turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): unknown => setImmediate(() => isOver || (turns++, count()));
  count();
  const settled = await value;
  isOver = true;
  return { value: settled, turns };
}

const textsOf = (count: number, length: number): string[] => Array.from({ length: count }, () => "é".repeat(length));

suite("a large answer", (test) => {
  test("is made in turns of at most 256 kB and an item, and is the same JSON", async () => {
    for (const json of [
      { success: true, items: textsOf(100, 30_000), nextCursor: null, kept: undefined },
      { success: true, export: { contact: { id: 1 }, events: textsOf(50, 60_000), empty: {}, none: [] } },
    ]) {
      const { value, turns } = await inTurns(answerInTurns(200, json, []));
      assert.equal(Buffer.from(value.body).toString(), JSON.stringify(json));
      assert.deepEqual(value.headers.slice(-2), ["Content-Length", String(Buffer.byteLength(JSON.stringify(json)))]);
      assert.ok(turns >= 9, `${turns}`);
    }
  });

  test("waits for nothing if it has less", () => {
    for (const json of [{ items: [] }, { items: textsOf(10, 20_000), more: false }, { contact: { name: "Ada" } }]) {
      const answer = answerInTurns(200, json, []);
      assert.ok(!(answer instanceof Promise));
      assert.equal(answer.body, JSON.stringify(json));
    }
  });
});
