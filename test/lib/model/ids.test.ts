import assert from "node:assert/strict";
import { isId } from "../../../lib/model/ids.ts";
import { suite } from "../../support/suite.ts";

type Ids = typeof import("../../../lib/model/ids.ts");

/** The module with a state of its own, as another process has it. */
async function freshIds(process: string): Promise<Ids> {
  return (await import(new URL(`../../../lib/model/ids.js?${process}`, import.meta.url).href)) as Ids;
}

function assertSorted(ids: string[]): void {
  for (let index = 1; index < ids.length; index++) {
    assert.ok(ids[index - 1]! < ids[index]!, `${ids[index - 1]} was made before ${ids[index]}`);
  }
}

suite("ids", (test) => {
  test("an id is a UUIDv7 in lower case", async () => {
    const { newId } = await freshIds("form");
    assert.match(newId(Date.now()), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("an id begins with its clock's milliseconds", async () => {
    const { newId } = await freshIds("milliseconds");
    assert.equal(newId(0x0199_aabb_ccdd).slice(0, 15), "0199aabb-ccdd-7");
  });

  test("the first id at a time sorts before those made then, and after those made before", async () => {
    const { newId, firstIdAt } = await freshIds("first");
    const now = 0x0199_aabb_ccdd;
    const ids = [newId(now - 1), newId(now)];
    assertSorted([ids[0]!, firstIdAt(now), ids[1]!]);
    assert.equal(firstIdAt(-1), "00000000-0000-0000-0000-000000000000");
  });

  test("an id of a clock before 1970 begins with zero", async () => {
    const { newId } = await freshIds("before-1970");
    assert.equal(newId(-62_135_596_800_000).slice(0, 15), "00000000-0000-7");
  });

  for (const [what, count, timeOf] of [
    ["under a stopped clock", 100_000, () => 1_800_000_000_000],
    ["while the clock runs backwards", 1_000, (index) => 1_800_000_000_000 - index],
    ["while the clock runs", 1_000, (index) => 1_800_000_000_000 + Math.floor(index / 3)],
    ["before 1970", 1_000, (index) => -1_000 + index],
  ] as [string, number, (index: number) => number][]) {
    test(`${count} ids sort in the order made ${what}`, async () => {
      const { newId } = await freshIds(what);
      assertSorted(Array.from({ length: count }, (_, index) => newId(timeOf(index))));
    });
  }

  // The counter's lower part is the 30 bits behind the variant. It starts at random, so some millisecond starts it near its end.
  test("ids sort in the order made when the lower part of the counter overflows", async () => {
    const { newId } = await freshIds("overflow");
    const lowerOf = (id: string) => parseInt(id.slice(19, 23) + id.slice(24, 28), 16) % 2 ** 30;
    let now = 1_800_000_000_000;
    let first = newId(now);
    const end = now + 5_000_000;
    while (lowerOf(first) < 2 ** 30 - 20_000 && now < end) first = newId(++now);

    const ids = [first, ...Array.from({ length: 20_000 }, () => newId(now))];
    assert.ok(lowerOf(ids.at(-1)!) < 20_000);
    assertSorted(ids);
  });

  test("a millisecond's counter starts at random", async () => {
    const processes = await Promise.all([freshIds("random-1"), freshIds("random-2")]);
    const [first, second] = processes.map(({ newId }) => newId(1_800_000_000_000).slice(15, 28));
    assert.notEqual(first, second);
  });

  test("the counter is followed by 32 random bits", async () => {
    const { newId } = await freshIds("random-3");
    const ends = Array.from({ length: 100 }, () => newId(1_800_000_000_000).slice(28));
    assert.equal(new Set(ends).size, 100);
  });

  test("two processes make different ids in the same millisecond", async () => {
    const processes = await Promise.all([freshIds("process-1"), freshIds("process-2")]);
    const ids = processes.flatMap(({ newId }) => Array.from({ length: 1_000 }, () => newId(1_800_000_000_000)));
    assert.equal(new Set(ids).size, 2_000);
  });

  test("isId accepts a UUID in lower case", () => {
    assert.equal(isId("0199aabb-ccdd-7eef-8011-223344556677"), true);
  });

  for (const text of [
    "",
    "0199AABB-CCDD-7EEF-8011-223344556677",
    "0199aabbccdd7eef8011223344556677",
    "0199aabb-ccdd-7eef-8011-22334455667",
    "0199aabb-ccdd-7eef-8011-223344556677\n",
    "{0199aabb-ccdd-7eef-8011-223344556677}",
    "0199aabb-ccdd-7eef-8011-22334455667g",
  ]) {
    test(`no id: ${JSON.stringify(text)}`, () => {
      assert.equal(isId(text), false);
    });
  }
});
