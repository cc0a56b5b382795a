import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { CompletionTest, Condition, TestedField, ValueTest } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, createContact, recordEvent } from "../calls.ts";
import { at, contactDraft, definitionDraft, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { hostileValues, idInHostileValues as id } from "../values/index.ts";
import { did, findEachByItsValue, findMembers, isSet, membersOf, oneOf, within } from "./found.ts";

const field = (contactField: TestedField, test: ValueTest): Condition => ({ contactField, ...test });
const part = (operator: "contains" | "starts_with" | "ends_with", text: string): ValueTest => ({ operator, text });

/** In order of id: `a` has every field, `b` has an empty plan, `c` has no field. `a` and `c` did "step". */
async function populate(storage: Storage): Promise<void> {
  const fields = { externalId: "U_1", name: "Ada é 😀", phone: "%_", role: "admin", plan: "Pro", signedUpAt: at };
  for (const draft of [
    { email: "a@example.com", fields },
    { email: "b@example.com", fields: { plan: "" } },
    { email: "c@example.com" },
  ]) {
    await createContact(storage, { id: newId(at), at: at + draft.email.charCodeAt(0) - 97, ...draft });
  }
  await recordEvent(storage, { contact: { email: "a@example.com" } });
  await recordEvent(storage, { contact: { email: "c@example.com" } });
}

const fieldCases: [string, Condition, string][] = [
  ["a text that equals", field("plan", oneOf("Pro")), "a not bc"],
  ["a text in another case", field("plan", oneOf("pro")), " not abc"],
  ["the empty text, which is set", field("plan", oneOf("")), "b not ac"],
  ["one of the empty text and another", field("plan", oneOf("", "x")), "b not ac"],
  ["one of two texts", field("plan", oneOf("x", "Pro")), "a not bc"],
  ["one of a thousand texts", field("plan", oneOf(...Array.from({ length: 999 }, String), "Pro")), "a not bc"],
  ["a number of a text", field("plan", oneOf(1, true)), " not abc"],
  ["a set field", field("plan", isSet), "ab not c"],
  ["a part of a text", field("name", part("contains", "a é")), "a not bc"],
  ["a part that is a pattern", field("phone", part("contains", "%")), "a not bc"],
  ["a pattern that is no part", field("name", part("contains", "%")), " not abc"],
  ["a beginning of a text", field("name", part("starts_with", "Ad")), "a not bc"],
  ["no beginning of a text", field("name", part("starts_with", "da")), " not abc"],
  ["an end of a text", field("name", part("ends_with", "😀")), "a not bc"],
  ["no end of a text", field("name", part("ends_with", "😁")), " not abc"],
  ["an end longer than a text", field("role", part("ends_with", "an admin")), " not abc"],
  ["a text within numbers", field("role", within(null, null)), " not abc"],
  ["an email", field("email", part("ends_with", "@example.com")), "abc not "],
  ["an externalId that is the email", field("externalId", oneOf("b@example.com", "U_1")), "ab not c"],
  ["an externalId in place of the email", field("externalId", oneOf("a@example.com")), " not abc"],
  ["a time from, which is inside", field("signedUpAt", within(at, null)), "a not bc"],
  ["a time to, which is outside", field("signedUpAt", within(null, at)), " not abc"],
  ["a set time", field("signedUpAt", isSet), "a not bc"],
  ["any time", field("signedUpAt", within(null, null)), "a not bc"],
  ["a time that equals", field("createdAt", oneOf(at + 1, at + 2)), "bc not a"],
  ["a part of a time", field("createdAt", part("contains", "1")), " not abc"],
  ["times between", field("createdAt", within(at + 1, at + 2)), "b not ac"],
  ["a field and an event", { all: [field("plan", isSet), did("step")] }, "a not bc"],
  ["a field or an event", { any: [field("plan", oneOf("")), did("step")] }, "abc not "],
  ["a field and no event", { all: [field("plan", isSet), { not: did("step") }] }, "b not ac"],
  ["an event and not a field", { all: [did("step"), { not: field("plan", isSet) }] }, "c not ab"],
  ["no event or a field", { any: [{ not: did("step") }, field("plan", oneOf("Pro"))] }, "ab not c"],
];

const other = newId(at);
const attribute = (test: ValueTest): Condition => ({ attributeId: id, ...test });
export function contactConditions(test: StorageTest): void {
  for (const [what, condition, expected] of fieldCases) {
    test(`a contact is tested by its fields: ${what}`, async ({ storage }) => {
      await populate(storage);
      assert.equal(await membersOf(storage, condition), expected);
    });
  }

  test("an attribute equals only the value that it has, however hostile", async ({ storage }) => {
    // One other attribute has the same value, and one contains it as JSON.
    const another = newId(at);
    for (const each of [other, id, another])
      accepted(await storage.putDefinition(definitionDraft({ id: each, key: each })));
    await storage.upsertContacts(
      hostileValues.map((value, index) =>
        contactDraft({
          email: `${index}@example.com`,
          id: newId(at),
          attributes: { [other]: `"${id}":${JSON.stringify(value)}`, [id]: value, [another]: value },
        }),
      ),
    );
    await createContact(storage, { email: "none@example.com", attributes: { [other]: `"${id}":"x"` } });
    await findEachByItsValue(async (isFulfilled) =>
      (await findMembers(storage, attribute(isFulfilled))).map(({ attributes }) => attributes[id]),
    );
    assert.equal(await storage.countMembers(workspace, attribute(isSet)), hostileValues.length);
    assert.equal(await storage.countMembers(workspace, { not: attribute(isSet) }), 1);
    assert.equal(await storage.countMembers(workspace, { not: attribute(within(null, null)) }), 1 + countOfOthers());
    assert.equal(await storage.countMembers(workspace, { attributeId: newId(at), ...isSet }), 0);
  });

  test("a checklist is completed when every item is, by hand and by events", async ({ storage }) => {
    await populate(storage);
    const checklistId = newId(at);
    const complete = (email: string, itemKey: string, checklist = checklistId): Promise<boolean> =>
      storage.insertCompletion({ workspace, externalId: email, checklistId: checklist, itemKey, completedAt: at });
    await complete("U_1", "one");
    await complete("U_1", "two");
    await complete("b@example.com", "one");
    await complete("b@example.com", "two", newId(at));
    await recordEvent(storage, { contact: { email: "a@example.com" } });
    const step = (count: number): CompletionTest["counts"] => [[{ eventKey: "step", count }]];
    const never = { eventKey: "other", count: 1 };
    for (const [itemKeys, counts, expected] of [
      [["one"], [], "ab not c"],
      [["one", "two"], [], "a not bc"],
      [["One"], [], " not abc"],
      [[], step(1), "ac not b"],
      [[], step(2), "a not bc"],
      [["one"], step(2), "a not bc"],
      [["two"], [...step(1), [never]], " not abc"],
      [[], [[never, { eventKey: "step", count: 2 }]], "a not bc"],
      [[], [[{ eventKey: "step", count: 2 }, never], ...step(1)], "a not bc"],
      [[], [[{ eventKey: "step", count: 1 }, never], [never]], " not abc"],
      [["one"], [[never, { eventKey: "step", count: 1 }]], "a not bc"],
    ] as [string[], CompletionTest["counts"], string][]) {
      assert.equal(await membersOf(storage, { checklistId, itemKeys, counts }), expected);
    }
    const both = { all: [did("step"), { checklistId, itemKeys: ["one"], counts: [] }] };
    assert.equal(await membersOf(storage, both), "a not bc");
  });

  test("items are completed by hand within bounds only if each was at a known time within them", async ({
    storage,
  }) => {
    await populate(storage);
    const checklistId = newId(at);
    const complete = (externalId: string, itemKey: string, completedAt: number | null): Promise<boolean> =>
      storage.insertCompletion({ workspace, externalId, checklistId, itemKey, completedAt });
    await complete("U_1", "one", at);
    await complete("U_1", "two", at + 5);
    await complete("b@example.com", "one", at + 5);
    await complete("b@example.com", "two", null);
    for (const [itemKeys, from, to, expected] of [
      [["one"], null, null, "ab not c"],
      [["one"], at, at + 5, "a not bc"],
      [["one"], at + 1, null, "b not ac"],
      [["one"], null, at, " not abc"],
      [["two"], null, null, "a not bc"],
      [["two"], at, null, "a not bc"],
      [["two"], null, at + 6, "a not bc"],
      [["one", "two"], at, at + 6, "a not bc"],
      [["one", "two"], at, at + 5, " not abc"],
    ] as const) {
      const completed: CompletionTest = { checklistId, itemKeys, counts: [], within: { from, to } };
      assert.equal(await membersOf(storage, completed), expected, `${itemKeys.join()} ${from} ${to}`);
    }
  });

  test("fifty checklists of a hundred items may be asked about at once, beside events or not", async ({ storage }) => {
    await populate(storage);
    const lists = (count: number): Condition[] =>
      Array.from({ length: count }, (_, list) => ({
        checklistId: newId(at),
        itemKeys: Array.from({ length: 50 }, (_each, item) => `item_${list}_${item}`),
        counts: Array.from({ length: 50 }, (_each, item) => [{ eventKey: `event ${list} ${item}`, count: 1 }]),
      }));
    assert.equal(await membersOf(storage, { any: lists(50) }), " not abc");
    assert.equal(await membersOf(storage, { any: [...lists(49), did("step")] }), "ac not b");
    assert.equal(await membersOf(storage, { all: [did("step"), { not: { any: lists(49) } }] }), "ac not b");
  });

  test("fifty contact tests may be asked at once, with as many values as a rule may have", async ({ storage }) => {
    await populate(storage);
    const values = Array.from({ length: 1_000 }, (_, n) => `none ${n}`);
    const parts = Array.from({ length: 8 }, (): Condition => attribute(oneOf(...values)));
    const fields = Array.from({ length: 4 }, (): Condition => field("plan", oneOf(...values)));
    const events = Array.from({ length: 38 }, (_, n) => did(`event ${n}`));
    const nobody = { any: [...parts, ...fields] };
    assert.equal(await membersOf(storage, { all: [{ any: [...events, did("step")] }, { not: nobody }] }), "ac not b");
    assert.equal(await membersOf(storage, { any: [nobody, ...events, did("step")] }), "ac not b");
  });
}

function countOfOthers(): number {
  return hostileValues.filter((value) => typeof value !== "number").length;
}
