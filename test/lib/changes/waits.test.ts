import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { waitForChange } from "../../../lib/changes/waits.ts";
import type { Storage } from "../../../lib/index.ts";
import type { ChangeReader, FoundWork, NextChange } from "../../../lib/storage/changes.ts";
import { suite } from "../../support/suite.ts";

const longMs = 60_000;
const reader = { workspace: "default", key: "all", after: 5 };
const { signal } = new AbortController();
setMaxListeners(0, signal);

/** A storage that answers each poll as the function does, by the number of polls before, and the readers of each poll. */
function answering(answer: (reader: ChangeReader, polls: number) => NextChange): {
  storage: Storage;
  polls: ChangeReader[][];
} {
  const polls: ChangeReader[][] = [];
  const findWork = async (readers: readonly ChangeReader[]): Promise<FoundWork> => {
    polls.push([...readers]);
    const next = readers.map((each) => answer(each, polls.length - 1));
    return { next, isUnlogged: false, isUnready: false, isUsed: true };
  };
  return { storage: { ...memoryStorage(), findWork }, polls };
}

suite({ name: "a wait for a change", atOnce: 5 }, (test) => {
  test("ends with the next change, and goes on from poll to poll where the one before has ended", async () => {
    const { storage, polls } = answering(({ after }, n) => ({ found: n === 2, position: after + 1 }));
    assert.deepEqual(await waitForChange(storage, reader, longMs, signal), { found: true, position: 8 });
    assert.deepEqual(
      polls.map(([each]) => each?.after),
      [5, 6, 7],
    );
  });

  test("is one of many, which are asked for once if they are alike, and end only with a change of their own", async () => {
    const { storage, polls } = answering(({ key, after }) => ({ found: key === "all", position: after + 1 }));
    const other = { ...reader, key: "few" };
    const leaving = new AbortController();
    setMaxListeners(0, leaving.signal);
    const others = Array.from({ length: 20 }, () => waitForChange(storage, other, longMs, leaving.signal));
    await Promise.all(Array.from({ length: 20 }, () => waitForChange(storage, reader, longMs, signal)));
    assert.deepEqual(polls, [[other, reader]]);
    leaving.abort();
    assert.deepEqual(await others[0], { found: false, position: 6 });
  });

  test("ends after its time, while one with more time goes on", async () => {
    const { storage, polls } = answering(({ after }, n) => ({ found: n === 2, position: after }));
    const long = waitForChange(storage, reader, longMs, signal);
    assert.deepEqual(await waitForChange(storage, reader, 1, signal), { found: false, position: 5 });
    assert.ok(polls.length < 3);
    await long;
    assert.equal(polls.length, 3);
  });

  test("ends when the signal is aborted, also before it began", async () => {
    const { storage } = answering(({ after }) => ({ found: false, position: after }));
    const controller = new AbortController();
    const waiting = waitForChange(storage, reader, longMs, controller.signal);
    controller.abort();
    await waiting;
    await waitForChange(storage, reader, longMs, controller.signal);
  });

  test("ends when the storage fails, so that its reader meets the failure", async () => {
    const { storage } = answering(() => {
      throw new Error("gone");
    });
    assert.deepEqual(await waitForChange(storage, reader, longMs, signal), { found: true, position: 5 });
  });

  test("leaves nothing that looks", async () => {
    const { storage, polls } = answering(({ after }) => ({ found: false, position: after }));
    await waitForChange(storage, reader, 1, signal);
    const { length } = polls;
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    assert.equal(polls.length, length);
  });
});
