import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Condition, EventDraft, OccurrenceTest } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { createContact, recordAll } from "../calls.ts";
import { at, contactDraft, eventDraft, idAt, wholeList, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { hostileTexts, hostileValues } from "../values/index.ts";
import { findEachByItsValue, findMembers, isSet, membersOf, oneOf, within } from "./found.ts";

const minute = 60_000;
type Where = OccurrenceTest["where"];

const done = (parts: Partial<OccurrenceTest> = {}): OccurrenceTest => ({
  eventKey: "order",
  count: 1,
  from: at - 10 * minute,
  to: null,
  where: [],
  ...parts,
});
const where = (...tests: Where): OccurrenceTest => done({ where: tests });

function event(email: string, minutes: number, properties: object = {}, parts: Partial<EventDraft> = {}): EventDraft {
  const contact = { email: `${email}@example.com` };
  const createdAt = at + minutes * minute;
  const draft = { id: idAt(at), contact, eventKey: "order", properties: JSON.stringify(properties), createdAt };
  return eventDraft({ ...draft, recordedAt: at, ...parts });
}

/**
 * Creates four contacts, in order of id. `a` did nothing. `b` ordered 20 and 5 minutes ago, and 4 minutes ahead of the clock.
 * `c` ordered 10 minutes ago. `d` ordered 20 minutes ago, and did another event 5 minutes ago.
 */
async function populate(storage: Storage): Promise<void> {
  for (const [index, name] of ["a", "b", "c", "d"].entries()) {
    await createContact(storage, {
      email: `${name}@example.com`,
      id: newId(at),
      at: at + index,
      fields: { plan: name },
    });
  }
  await recordAll(storage, [
    event("b", 4, { total: 7, coupon: "x" }),
    event("b", -20, { total: 500 }),
    event("b", -5, { total: 120, gift: true }),
    event("c", -10, { total: "120", coupon: "" }),
    event("d", -20, { total: 120 }),
    event("d", -5, { total: 120 }, { eventKey: "return" }),
  ]);
}

const cases: [string, Condition, string][] = [
  ["from a time on, which is inside", done(), "bc not ad"],
  ["from a later time on", done({ from: at - 10 * minute + 1 }), "b not acd"],
  ["until a time, which is outside", done({ from: at - 20 * minute, to: at - 10 * minute }), "bd not ac"],
  ["a time ahead of the clock", done({ from: at + minute }), "b not acd"],
  ["often", done({ count: 2 }), "b not acd"],
  ["more often than anybody", done({ count: 3 }), " not abcd"],
  ["as often as before", done({ count: 3, from: at - 20 * minute }), "b not acd"],
  ["a number of times that nobody can count", done({ count: Number.MAX_SAFE_INTEGER }), " not abcd"],
  ["a span of no length", done({ to: at - 10 * minute }), " not abcd"],
  ["a key that nobody did", done({ eventKey: "Order" }), " not abcd"],
  ["a number above another", where({ property: "total", ...within(100, null) }), "b not acd"],
  ["a number above it, too long ago", where({ property: "total", ...within(121, null) }), " not abcd"],
  ["a text that looks like the number", where({ property: "total", ...oneOf("120") }), "c not abd"],
  ["the empty text, which is set", where({ property: "coupon", ...oneOf("") }), "c not abd"],
  ["a boolean", where({ property: "gift", ...oneOf(true) }), "b not acd"],
  ["a property that is set", where({ property: "total", ...isSet }), "bc not ad"],
  ["a property that is missing", where({ not: { property: "coupon", ...isSet } }), "b not acd"],
  ["a property in another case", where({ property: "Total", ...isSet }), " not abcd"],
  [
    "two conditions that one event fulfils",
    where({ property: "total", ...within(100, null) }, { property: "gift", ...isSet }),
    "b not acd",
  ],
  [
    "two conditions that only different events fulfil",
    where({ property: "total", ...within(100, null) }, { property: "coupon", ...isSet }),
    " not abcd",
  ],
  ["two events that fulfil a condition", done({ count: 2, where: [{ property: "total", ...isSet }] }), "b not acd"],
  ["beside the events of another key", { any: [done({ count: 2 }), done({ eventKey: "return" })] }, "bd not ac"],
  ["beside a summary", { all: [done(), { eventKey: "order", field: "count", from: 2, to: null }] }, "b not acd"],
  ["but not lately", { all: [done({ from: at - 30 * minute }), { not: done() }] }, "d not abc"],
  ["beside the contact's own data", { all: [done(), { contactField: "plan", ...oneOf("c") }] }, "c not abd"],
  ["or the contact's own data", { any: [done(), { contactField: "plan", ...oneOf("a") }] }, "abc not d"],
];

export function occurrences(test: StorageTest): void {
  for (const [what, condition, expected] of cases) {
    test(`a contact is tested by its events of a span: ${what}`, async ({ storage }) => {
      await populate(storage);
      assert.equal(await membersOf(storage, condition), expected);
    });
  }

  test("fifty tests of events may be asked about at once, each with ten conditions", async ({ storage }) => {
    await populate(storage);
    const tests = Array.from({ length: 9 }, (_, n) => ({ not: { property: `none ${n}`, ...isSet } }));
    const many = Array.from({ length: 49 }, (_, n) =>
      done({ eventKey: `key ${n}`, where: [...tests, { property: "total", ...oneOf(...Array(100).keys()) }] }),
    );
    const ordered = done({ where: [...tests, { property: "total", ...within(100, null) }] });
    assert.equal(await membersOf(storage, { any: [...many, ordered] }), "b not acd");
    assert.equal(await membersOf(storage, { all: [...many.map((part) => ({ not: part })), ordered] }), "b not acd");
  });

  test("an event makes a member at once, and none once pruned, though its summary counts it", async ({ storage }) => {
    const { id } = await createContact(storage, { email: "b@example.com" });
    assert.equal(await membersOf(storage, done()), " not b");
    await recordAll(storage, [event("b", -5), event("b", -4)]);
    assert.equal(await membersOf(storage, done({ count: 2 })), "b not ");
    await storage.markPruned(workspace, at - 4 * minute);
    await storage.pruneEvents(workspace, { before: at - 4 * minute, recordedBefore: at + 1, after: null });
    assert.equal(await membersOf(storage, done({ count: 2 })), " not b");
    assert.equal(await membersOf(storage, done()), "b not ");
    const last = at - 4 * minute;
    assert.deepEqual(await storage.summarizeEvents(workspace, id, done()), {
      eventKey: "order",
      count: 1,
      firstAt: last,
      lastAt: last,
    });
    await storage.markPruned(workspace, at);
    assert.equal(await membersOf(storage, done()), "b not ");
    await storage.pruneEvents(workspace, { before: at, recordedBefore: at + 1, after: null });
    assert.equal(await membersOf(storage, done()), " not b");
    assert.equal(await storage.summarizeEvents(workspace, id, done()), null);
    assert.equal(await storage.countMembers(workspace, { eventKey: "order", field: "count", from: 2, to: null }), 1);
  });

  test("the summary of a contact's events of a span counts all that fulfil the conditions", async ({ storage }) => {
    await populate(storage);
    const [, b] = (await storage.listContacts(workspace, wholeList)).rows;
    assert.ok(b);
    const summarize = (parts: Partial<OccurrenceTest>, of = workspace): Promise<unknown> =>
      storage.summarizeEvents(of, b.id, done(parts));
    const both = { eventKey: "order", count: 2, firstAt: at - 5 * minute, lastAt: at + 4 * minute };
    assert.deepEqual(await summarize({}), both);
    assert.deepEqual(await summarize({ count: 100 }), both);
    assert.deepEqual(await summarize({ from: at, where: [{ property: "total", ...isSet }] }), {
      ...both,
      count: 1,
      firstAt: at + 4 * minute,
    });
    for (const parts of [
      { eventKey: "return" },
      { where: [{ property: "none", ...isSet }] },
      { to: at - 9 * minute },
    ]) {
      assert.equal(await summarize(parts), null);
    }
    assert.equal(await summarize({}, "other"), null);
    assert.equal(await storage.summarizeEvents(workspace, newId(at), done()), null);
  });

  test("the time of a pruning is found, of its workspace alone", async ({ storage }) => {
    assert.equal(await storage.findPrunedBefore(workspace), null);
    await storage.markPruned(workspace, at);
    await storage.markPruned(workspace, at - 1);
    assert.equal(await storage.findPrunedBefore(workspace), at);
    assert.equal(await storage.findPrunedBefore("other"), null);
  });

  test("a property equals only the value that it has, however hostile", async ({ storage }) => {
    await recordOfEach(storage, hostileValues, (value) => ({
      other: `,"p":${JSON.stringify(value)},`,
      p: value,
      another: value,
      'x","p': value,
    }));
    await createContact(storage, { email: "none@example.com" });
    await recordAll(storage, [event("none", 0, { other: ',"p":"x"', Pp: "x", p1: 1 })]);
    await findEachByItsValue((isFulfilled) => foundBy(storage, hostileValues, { property: "p", ...isFulfilled }));
    assert.equal(await storage.countMembers(workspace, where({ property: "p", ...isSet })), hostileValues.length);
    assert.equal(await storage.countMembers(workspace, where({ not: { property: "p", ...isSet } })), 1);
  });

  test("a property has only the name that it has, however hostile", async ({ storage }) => {
    const likeJson = [",,", ",a", "}", '}"', "{", '"', '","', "\\", '\\"', "a:", 'a":', "__proto__", "$.a", "[0]"];
    const names = [...new Set([...hostileTexts, ...likeJson])].filter((name) => name !== "," && !name.startsWith(":"));
    const around = (name: string): object => ({
      ",": ":",
      ":": ",",
      [`x,"${name}`]: `,"${name}":"v"`,
      [`${name},"`]: `${name}:`,
    });
    await recordOfEach(storage, names, (name, index) =>
      Object.fromEntries([...Object.entries(around(name)), [name, `v${index}`]]),
    );
    for (const [index, name] of names.entries()) {
      const value = `v${index}`;
      for (const isValue of [
        oneOf(value),
        oneOf(value, "a", "b", "c"),
        { operator: "starts_with", text: value } as const,
        { operator: "ends_with", text: value } as const,
      ]) {
        assert.deepEqual(await foundBy(storage, names, { property: name, ...isValue }), [name]);
      }
    }
  });
}

/** Records an event of each value, by a contact of its own. */
async function recordOfEach<Value>(
  storage: Storage,
  values: readonly Value[],
  propertiesOf: (value: Value, index: number) => object,
): Promise<void> {
  const emailOf = (index: number): string => `${index}@example.com`;
  await storage.upsertContacts(values.map((_, index) => contactDraft({ email: emailOf(index), id: newId(at) })));
  await recordAll(
    storage,
    values.map((value, index) => event(String(index), 0, propertiesOf(value, index))),
  );
}

/** Those of the values whose event fulfils the test. */
async function foundBy<Value>(storage: Storage, values: readonly Value[], test: Where[number]): Promise<Value[]> {
  const members = await findMembers(storage, where(test));
  const indexes = members.map(({ email }) => parseInt(email, 10)).sort((a, b) => a - b);
  // Each member has recorded a value.
  return indexes.map((index) => values[index]!);
}
