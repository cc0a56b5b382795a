import assert from "node:assert/strict";
import { TrackerError } from "../../../lib/model/errors.ts";
import { createGroups, type Groups, type Sized } from "../../../lib/bulk/groups.ts";
import type { ItemResult } from "../../../lib/bulk/item-results.ts";
import { suite } from "../../support/suite.ts";

interface Item extends Sized {
  name: string;
}

const itemOf = (name: string, bytes = 1): Item => ({ name, bytes });
const noted = async (items: readonly Item[]): Promise<ItemResult<{ name: string }>[]> =>
  items.map(({ name }) => ({ ok: true, name }));

function groupsOf(write = noted) {
  const told: string[][] = [];
  const groups: Groups<Item> = createGroups(
    write,
    async (results) => void told.push(results.map((result) => (result.ok ? result.name : result.error.code))),
    () => {},
  );
  return { groups, told };
}

suite("groups", (test) => {
  test("what is gathered is told as one group, in order, with what failed in its place", async () => {
    const { groups, told } = groupsOf();
    groups.gather(itemOf("a"));
    groups.gather({ error: new TrackerError("invalid_input"), bytes: 0 });
    assert.equal(groups.gather(itemOf("b")), 3);
    groups.writeGathered();
    assert.equal(groups.gather(itemOf("c")), 1);
    await groups.end();
    assert.deepEqual(told, [["a", "invalid_input", "b"], ["c"]]);
  });

  test("a group that answers early is told after the groups before it", async () => {
    const { groups, told } = groupsOf(async (items) => {
      if (items[0]?.name === "slow") await new Promise((resolve) => setImmediate(resolve));
      return noted(items);
    });
    for (const name of ["slow", "fast"]) {
      groups.gather(itemOf(name));
      groups.writeGathered();
    }
    await groups.end();
    assert.deepEqual(told, [["slow"], ["fast"]]);
  });

  test("the error of a group's write is that of each of its items, and of no other group's", async () => {
    const { groups, told } = groupsOf(async (items) => {
      if (items.length === 2) throw new TrackerError("storage_unavailable");
      return noted(items);
    });
    groups.gather(itemOf("a"));
    groups.gather(itemOf("b"));
    groups.writeGathered();
    groups.gather(itemOf("c"));
    await groups.end();
    assert.deepEqual(told, [["storage_unavailable", "storage_unavailable"], ["c"]]);
  });

  test("they are full with too many bytes, until the first group is told", async () => {
    const { groups, told } = groupsOf();
    groups.gather(itemOf("large", 9_000_000));
    assert.equal(groups.areFull(), true);
    await groups.firstTold();
    assert.deepEqual([groups.areFull(), told], [false, [["large"]]]);
  });
});
