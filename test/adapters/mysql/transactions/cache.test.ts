import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createCache, type Cache } from "../../../../adapters/mysql/transactions/cache.ts";
import { suite } from "../../../support/suite.ts";
import { within } from "../../../support/within.ts";

/** A cache over `known`, with what it looked up, and look-ups that wait for `gate`. */
function counting(seconds: number): {
  cache: Cache<string>;
  known: Map<string, string>;
  loads: string[][];
  gate: { open: Promise<unknown> };
} {
  const known = new Map<string, string>();
  const loads: string[][] = [];
  const gate: { open: Promise<unknown> } = { open: Promise.resolve() };
  const cache = createCache<string>(seconds, async (keys) => {
    loads.push([...keys]);
    const found = new Map([...known].filter(([key]) => keys.includes(key)));
    await gate.open;
    return found;
  });
  return { cache, known, loads, gate };
}

const names = (count: number, prefix = "k"): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const getAll = (cache: Cache<string>, keys: string[]): Promise<(string | null)[]> =>
  Promise.all(keys.map((key) => cache.get(key)));

suite("cache", (test) => {
  test("found and unknown keys are both remembered", async () => {
    const { cache, known, loads } = counting(60);
    known.set("a", "A");
    for (let call = 0; call < 3; call++) assert.deepEqual(await getAll(cache, ["a", "b"]), ["A", null]);
    assert.deepEqual(loads.flat(), ["a", "b"]);
  });

  test("found and unknown keys are both forgotten after the cache's seconds", async () => {
    const { cache, known } = counting(0.05);
    known.set("a", "A");
    await getAll(cache, ["a", "b"]);
    known.set("a", "new").set("b", "B");
    const deadline = performance.now() + 10_000;
    while ((await cache.get("a")) === "A" && performance.now() < deadline) await pause(5);
    while ((await cache.get("b")) === null && performance.now() < deadline) await pause(5);
    assert.deepEqual(await getAll(cache, ["a", "b"]), ["new", "B"]);
  });

  test("no key is remembered longer because its look-up was slow", async () => {
    const { cache, known, gate } = counting(0.1);
    known.set("a", "A");
    gate.open = pause(150);
    const asked = getAll(cache, ["a", "b"]);
    await pause(20);
    known.set("a", "new").set("b", "B");
    assert.deepEqual(await asked, ["A", null]);
    assert.deepEqual(await getAll(cache, ["a", "b"]), ["new", "B"]);
  });

  test("no key is remembered longer because the system's clock was set back", async () => {
    const { cache, known } = counting(0.1);
    const { now } = Date;
    known.set("a", "A");
    await getAll(cache, ["a", "b"]);
    known.set("a", "new").set("b", "B");
    Date.now = () => now() - 3_600_000;
    try {
      await pause(150);
      assert.deepEqual(await getAll(cache, ["a", "b"]), ["new", "B"]);
    } finally {
      Date.now = now;
    }
  });

  test("zero seconds remember nothing", async () => {
    const { cache, known, loads } = counting(0);
    known.set("a", "A");
    for (let call = 0; call < 2; call++) assert.deepEqual(await getAll(cache, ["a", "b"]), ["A", null]);
    assert.deepEqual(loads.flat().sort(), ["a", "a", "b", "b"]);
  });

  test("calls made together share look-ups of 500 keys, one at a time", async () => {
    const { cache, loads, gate } = counting(60);
    let open = (): void => {};
    gate.open = new Promise<void>((resolve) => (open = resolve));
    const asked = [...getMany(cache, names(1_001)), ...getMany(cache, names(1_001))];
    await pause(20);
    assert.equal(loads.length, 1);
    open();
    await Promise.all(asked);
    assert.deepEqual(
      loads.map(({ length }) => length),
      [500, 500, 1],
    );
  });

  test("a forgotten key is looked up again", async () => {
    const { cache, known } = counting(60);
    known.set("a", "A");
    await getAll(cache, ["a", "b"]);
    known.delete("a");
    known.set("b", "B");
    cache.forget("a");
    cache.forget("b");
    assert.deepEqual(await getAll(cache, ["a", "b"]), [null, "B"]);
  });

  test("a key that is forgotten during its look-up is not remembered", async () => {
    const { cache, known, gate } = counting(60);
    known.set("a", "A");
    let open = (): void => {};
    gate.open = new Promise<void>((resolve) => (open = resolve));
    const asked = getAll(cache, ["a"]);
    known.delete("a");
    cache.forget("a");
    // Asked for afterwards, so not answered by the look-up from before.
    const later = cache.get("a");
    open();
    await asked;
    assert.equal(await later, null);
    assert.equal(await cache.get("a"), null);
  });

  test("a failed look-up rejects for all that wait for it, is not remembered, and blocks no later one", async () => {
    let fails = true;
    const cache = createCache<string>(60, async () => {
      if (fails) throw new Error("down");
      return new Map([["a", "A"]]);
    });
    const settled = await Promise.allSettled([cache.get("a"), cache.get("a"), cache.get("b")]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["rejected", "rejected", "rejected"],
    );
    fails = false;
    assert.deepEqual(await getAll(cache, ["a", "b"]), ["A", null]);
  });

  test("the 10,001st call that waits for a look-up is refused, whatever its key, and none once they are answered", async () => {
    const { cache, known, gate } = counting(0);
    known.set("k0", "K");
    let open = (): void => {};
    gate.open = new Promise<void>((resolve) => (open = resolve));
    const asked = getMany(cache, [...names(5_000), ...names(5_000)]);
    for (const name of ["k0", "new"])
      await assert.rejects(within(5_000, "a refusal", cache.get(name)), { code: "storage_unavailable" });
    open();
    assert.deepEqual(
      (await Promise.all(asked)).filter((value) => value !== null),
      ["K", "K"],
    );
    assert.deepEqual(await getAll(cache, names(10_000)), ["K", ...Array.from({ length: 9_999 }, () => null)]);
  });

  test("calls make room when their look-up fails, too", async () => {
    const cache = createCache<string>(60, () => Promise.reject(new Error("down")));
    for (let round = 0; round < 2; round++) {
      const settled = await Promise.allSettled(getMany(cache, names(10_000)));
      assert.deepEqual(
        [...new Set(settled.map((one) => one.status === "rejected" && String(one.reason)))],
        ["Error: down"],
      );
    }
  });

  test("remembered keys are answered while too many calls wait", async () => {
    const { cache, known, gate } = counting(60);
    known.set("a", "A");
    await getAll(cache, ["a", "b"]);
    gate.open = new Promise<void>(() => {});
    getMany(cache, names(10_001))
      .at(-1)!
      .catch(() => {});
    assert.deepEqual(await getAll(cache, ["a", "b"]), ["A", null]);
  });

  test("the last 1,000 keys that nobody has are remembered, beside those that were found", async () => {
    const { cache, known, loads } = counting(60);
    known.set("a", "A");
    await cache.get("a");
    await getAll(cache, names(3_000));
    loads.length = 0;
    await getAll(cache, ["a", ...names(3_000).slice(2_000)]);
    assert.deepEqual(loads, []);
    await cache.get("k1999");
    assert.deepEqual(loads, [["k1999"]]);
  });

  test("at most 10,000 keys that were found are remembered, and none is refused", async () => {
    const { cache, known, loads } = counting(60);
    for (const name of names(10_001)) known.set(name, name);
    for (let start = 0; start < 10_000; start += 500) await getAll(cache, names(10_001).slice(start, start + 500));
    loads.length = 0;
    assert.equal(await cache.get("k0"), "k0");
    assert.deepEqual(loads, []);
    assert.equal(await cache.get("k10000"), "k10000");
    await cache.get("k0");
    assert.deepEqual(loads, [["k10000"], ["k0"]]);
  });
});

function getMany(cache: Cache<string>, keys: string[]): Promise<string | null>[] {
  return keys.map((key) => cache.get(key));
}
