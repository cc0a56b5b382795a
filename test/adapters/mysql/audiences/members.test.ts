import assert from "node:assert/strict";
import { choicesOf, candidatesOf, type Selectivities } from "../../../../adapters/mysql/audiences/plan.ts";
import { contactDraft, eventDraft, newIds, workspace, rowsUpTo } from "../../../../adapters/storage-contract/drafts.ts";
import type { Condition, EventTest, Position } from "../../../../lib/storage/rows.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const started = await database();

const did = (eventKey: string): EventTest => ({ eventKey, field: "count", from: 1, to: null });
const [often, seldom, never] = [did("often"), did("seldom"), did("never")];
const selectivities: Selectivities = new Map([
  [often, "1"],
  [seldom, "7"],
  [never, "9"],
]);
const keysBy = (condition: Condition): string[] | undefined =>
  candidatesOf(condition, selectivities)?.map(({ key }) => key);

const contacts = 9_000;
const ids = newIds(contacts);
const emailOf = (n: number): string => `${n}@example.com`;

/** Everybody did "all" but the given ones; every third did "some", and so did all of these. */
async function populate(storage: Storage, others: readonly number[]): Promise<void> {
  const everybody = ids.map((_, n) => n);
  const events = (eventKey: string, who: readonly number[]): Promise<unknown> =>
    storage.recordEvents(who.map((n) => eventDraft({ contact: { email: emailOf(n) }, eventKey })));
  await storage.upsertContacts(everybody.map((n) => contactDraft({ id: ids[n]!, email: emailOf(n) })));
  await events(
    "all",
    everybody.filter((n) => !others.includes(n)),
  );
  await events(
    "some",
    everybody.filter((n) => n % 3 === 0 || others.includes(n)),
  );
}

async function membersOf(
  storage: Storage,
  condition: Condition,
  limit = 1_000,
  after: Position | null = null,
): Promise<string[]> {
  return (await storage.listMembers(workspace, condition, { ...rowsUpTo(limit), after })).rows.map(({ id }) => id);
}

databaseSuite("members on MySQL", started, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  define("of several things that must be done, the most selective one is chosen, in groups too", () => {
    assert.deepEqual(keysBy({ all: [often, never, seldom] }), ["never"]);
    assert.deepEqual(keysBy({ all: [often, { any: [often, seldom] }] }), ["often"]);
    assert.deepEqual(keysBy({ all: [often, { any: [never, seldom] }] }), ["never", "seldom"]);
    assert.deepEqual(keysBy({ all: [often, { all: [often, seldom] }] }), ["seldom"]);
    assert.deepEqual(keysBy({ not: { any: [{ not: often }, { not: seldom }] } }), ["seldom"]);
    assert.deepEqual(keysBy({ any: [never, { all: [seldom, often] }] }), ["never", "seldom"]);
    assert.deepEqual(keysBy({ all: [often, { not: never }] }), ["often"]);
    assert.equal(keysBy({ any: [often, { not: never }] }), undefined);
  });

  define("a test of the contact's own data narrows what events choose, and chooses nothing itself", () => {
    const pro: Condition = { contactField: "plan", operator: "one_of", values: ["pro"] };
    assert.deepEqual(keysBy({ all: [pro, often] }), ["often"]);
    assert.deepEqual(keysBy({ all: [pro, { not: pro }, { any: [never, seldom] }] }), ["never", "seldom"]);
    assert.deepEqual(keysBy({ not: { any: [pro, { not: often }] } }), ["often"]);
    for (const condition of [pro, { not: pro }, { any: [pro, often] }, { all: [pro, { not: often }] }]) {
      assert.deepEqual([keysBy(condition), keysBy({ any: [often, condition] })], [undefined, undefined]);
      assert.deepEqual(choicesOf({ all: [often, condition] }), []);
    }
  });

  define("selectivity is looked up only where there is a choice", () => {
    assert.deepEqual(choicesOf({ all: [often, seldom] }), [often, seldom]);
    assert.deepEqual(choicesOf({ not: { any: [{ not: often }, { not: seldom }] } }), [often, seldom]);
    assert.deepEqual(choicesOf({ any: [never, { all: [often, seldom, { not: never }] }] }), [often, seldom]);
    for (const condition of [often, { not: often }, { all: [often, { not: seldom }] }, { any: [often, seldom] }]) {
      assert.deepEqual(choicesOf(condition), []);
    }
  });

  for (const [where, others] of [
    ["nowhere", []],
    ["at the ends of windows", [0, 4_095, 4_096, 8_191, 8_192, 8_999]],
    ["in a later window", [5_000]],
    ["in the first window only", [1, 2, 3, 4]],
  ] as const) {
    test(`the few contacts without an event that all others did are found: ${where}`, async ({ storage }) => {
      await populate(storage, others);
      const expected = others.map((n) => ids[n]!);
      for (const condition of [
        { not: did("all") },
        { not: { all: [did("all"), { any: [did("all"), did("some")] }] } },
        { all: [{ not: did("all") }, { not: did("nothing") }] },
      ]) {
        assert.deepEqual(await membersOf(storage, condition), expected);
        assert.equal(await storage.countMembers(workspace, condition), expected.length);
      }
      const neither = { all: [{ not: did("all") }, { not: did("some") }] };
      assert.deepEqual(await membersOf(storage, neither), []);
      assert.deepEqual(await membersOf(storage, { not: did("all") }, 3), expected.slice(0, 3));
      const after = { id: ids[4_094]!, createdAt: 0 };
      const [first] = await membersOf(storage, { not: did("all") }, 1, after);
      assert.equal(first, ids[others.find((n) => n > 4_094) ?? -1]);
    });
  }

  test("contacts who did both a rare and a common event are found, whichever is asked first", async ({ storage }) => {
    await populate(storage, [7, 8_000]);
    const expected = ids.filter((_, n) => n % 3 === 0);
    for (const condition of [{ all: [did("all"), did("some")] }, { all: [did("some"), did("all")] }]) {
      assert.deepEqual(await membersOf(storage, condition), expected.slice(0, 1_000));
      assert.equal(await storage.countMembers(workspace, condition), 3_000);
    }
  });
});
