import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Condition, ContactRow } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, createContact, newAttributes, recordEvent } from "../calls.ts";
import { at, workspace, rowsUpTo } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { did, findMembers, isSet, lettersOf, membersOf } from "./found.ts";

const first = (from: number | null, to: number | null): Condition => ({ eventKey: "step", field: "firstAt", from, to });
const last = (from: number | null, to: number | null): Condition => ({ eventKey: "step", field: "lastAt", from, to });

/**
 * Creates five contacts, in order of id. `a` did nothing, `b` "step" once, `c` "step" three times, `d` "other" once, and `e`
 * "step" twice and "other" once. The events happen one millisecond after another, the first at `at`.
 */
async function populate(storage: Storage): Promise<void> {
  const contacts = ["a", "b", "c", "d", "e"].map((name, index) => ({
    email: `${name}@example.com`,
    id: newId(at),
    at: at + index,
  }));
  // Made in another order than that of their ids.
  for (const contact of contacts.toReversed()) await createContact(storage, contact);
  const done = ["b step", "c step", "e step", "c step", "d other", "e other", "e step", "c step"];
  for (const [index, text] of done.entries()) {
    const [name, eventKey] = text.split(" ") as [string, string];
    await recordEvent(storage, { contact: { email: `${name}@example.com` }, eventKey, createdAt: at + index });
  }
}

const cases: [string, Condition, string][] = [
  ["who did it", did("step"), "bce"],
  ["who did it more often", did("step", 2), "ce"],
  ["who did it a number of times", { eventKey: "step", field: "count", from: 2, to: 3 }, "e"],
  ["who did not", { not: did("step") }, "ad"],
  ["who did not do it that often, or at all", { not: did("step", 2) }, "abd"],
  ["who first did it in a span, whose end is outside", first(at + 1, at + 2), "c"],
  ["who first did it from a time on", first(at + 1, null), "ce"],
  ["who first did it before a time", first(null, at + 2), "bc"],
  ["who first did it in a span of no length", first(at, at), ""],
  ["who last did it in a span, whose end is outside", last(at + 6, at + 7), "e"],
  ["who last did it before a time", last(null, at + 7), "be"],
  ["who did it ever", last(null, null), "bce"],
  ["who did not last do it in a span", { not: last(at + 6, null) }, "abd"],
  ["all of two about one key", { all: [did("step", 2), last(at + 7, null)] }, "c"],
  ["all of two about two keys", { all: [did("step"), did("other")] }, "e"],
  ["any of two about one key", { any: [did("step", 3), first(null, at + 1)] }, "bc"],
  ["any of two about two keys, each once", { any: [did("step", 2), did("other")] }, "cde"],
  ["often before and not lately", { all: [did("step", 2), { not: last(at + 7, null) }] }, "e"],
  ["one and not the other", { all: [{ not: did("other") }, did("step")] }, "bc"],
  ["neither", { all: [{ not: did("other") }, { not: did("step") }] }, "a"],
  ["not both", { not: { all: [did("other"), did("step")] } }, "abcd"],
  ["not any", { not: { any: [did("other"), did("step")] } }, "a"],
  ["one or not the other", { any: [did("step", 3), { not: did("step") }] }, "acd"],
  ["not not", { not: { not: did("other") } }, "de"],
  ["not (neither)", { not: { all: [{ not: did("other") }, { not: did("step") }] } }, "bcde"],
  ["everybody", { any: [did("step"), { not: did("step") }] }, "abcde"],
  ["nobody", { all: [did("step"), { not: did("step") }] }, ""],
  ["a key that nobody did", did("Step"), ""],
  ["not a key that nobody did", { not: did("step ") }, "abcde"],
  ["groups of one", { all: [{ any: [{ all: [did("other")] }] }] }, "de"],
  [
    "groups in groups about many keys",
    {
      any: [
        { all: [{ any: [did("other"), did("third")] }, { not: did("step") }] },
        { all: [did("step"), { any: [did("step", 3), { not: first(at + 1, null) }] }] },
      ],
    },
    "bcd",
  ],
];

export function audiences(test: StorageTest): void {
  for (const [what, condition, expected] of cases) {
    test(`members are found and counted: ${what}`, async ({ storage }) => {
      await populate(storage);
      assert.equal(await lettersOf(storage, condition), expected);
    });
  }

  for (const [what, condition] of [
    ["of one key", did("step")],
    ["of any of two keys", { any: [did("step"), did("other")] }],
    ["without an event", { not: did("third") }],
    ["by events of a span", { eventKey: "step", count: 1, from: at, to: null, where: [] }],
    ["without an event of a span", { not: { eventKey: "third", count: 1, from: at, to: null, where: [] } }],
    ["by their own data", { contactField: "email", ...isSet }],
  ] as [string, Condition][]) {
    test(`pages of members go on after an id, even of a contact that is gone: ${what}`, async ({ storage }) => {
      await populate(storage);
      const all = await findMembers(storage, condition);
      const pageAfter = (id: string): Promise<ContactRow[]> =>
        findMembers(storage, condition, { ...rowsUpTo(2), after: { id, createdAt: 0 } });
      const [one, two] = await findMembers(storage, condition, rowsUpTo(2));
      assert.ok(one && two);
      assert.deepEqual([one, two], all.slice(0, 2));
      assert.deepEqual(await pageAfter(two.id), all.slice(2, 4));
      accepted(await storage.deleteContact(workspace, two.email, at));
      assert.deepEqual(await pageAfter(two.id), all.slice(2, 4));
      assert.deepEqual(await pageAfter(all.at(-1)!.id), []);
    });
  }

  test("a member is the contact as it is", async ({ storage }) => {
    const [attribute] = await newAttributes(storage, 1);
    const fields = { externalId: "u_1", name: "Ada" };
    const ada = await createContact(storage, { fields, attributes: { [attribute]: "\u{1F600}" } });
    await recordEvent(storage);
    assert.deepEqual(await findMembers(storage, did("step")), [ada]);
    assert.deepEqual(await findMembers(storage, { not: did("other") }), [ada]);
  });

  test("an event makes a member at once, by its key byte for byte", async ({ storage }) => {
    await createContact(storage);
    for (const eventKey of ["step", "Step", "step ", "st%p", "\u00df", "\u{1F600}", "'; --"]) {
      assert.equal(await membersOf(storage, did(eventKey)), " not a");
      await recordEvent(storage, { eventKey });
      assert.equal(await membersOf(storage, did(eventKey)), "a not ");
    }
  });

  test("a rule may ask about fifty keys", async ({ storage }) => {
    await populate(storage);
    const many = Array.from({ length: 49 }, (_, index) => did(`key ${index}`));
    for (const [condition, expected] of [
      [{ any: [...many, did("step", 3)] }, "c"],
      [{ all: [...many.map((part) => ({ not: part })), did("other")] }, "de"],
      [{ all: [...many.map((part) => ({ not: part })), { not: did("step") }] }, "ad"],
    ] as [Condition, string][]) {
      assert.equal(await lettersOf(storage, condition), expected);
    }
  });
}
