import assert from "node:assert/strict";
import { definitionKeyStruct } from "../../lib/input/identifiers.ts";
import { putDefinition } from "../../lib/decisions/definitions.ts";
import { newId } from "../../lib/ids.ts";
import type { AttributeRow, AudienceRow, ChecklistRow } from "../../lib/storage/rows.ts";
import { check } from "../../lib/input/shapes.ts";
import { stoppedTracker, issuesOf, refusalOf, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const common = { workspace: "acme", id: newId(0), createdAt: 1 };
const later = { workspace: "acme", id: newId(0), createdAt: 2 };
const rule = { kind: "has_done", eventKey: "step" } as const;
const attribute: AttributeRow = { ...common, kind: "attribute", key: "seats", body: { type: "number", name: "Seats" } };
const audience: AudienceRow = { ...common, kind: "audience", key: "doers", body: { name: "Doers", rule } };
const checklist: ChecklistRow = {
  ...common,
  kind: "checklist",
  key: "start",
  body: { name: "Start", items: [{ key: "one", name: "One" }] },
};

suite("definitions", (test) => {
  test("what is not yet defined is stored as drafted, an attribute without a name with null", () => {
    for (const draft of [attribute, audience, checklist]) assert.deepEqual(putDefinition(null, draft), draft);
    const unnamed = { ...attribute, body: { type: "number", name: undefined } } as const;
    assert.deepEqual(putDefinition(null, unnamed), { ...attribute, body: { type: "number", name: null } });
  });

  test("what is defined again keeps its id and createdAt", () => {
    const body = { type: "number", name: "Places" } as const;
    assert.deepEqual(putDefinition(attribute, { ...attribute, ...later, body }), { ...attribute, body });
    const other = { name: "Others", rule: { not: rule } };
    assert.deepEqual(putDefinition(audience, { ...audience, ...later, body: other }), { ...audience, body: other });
    const items = { name: "Start", items: [{ key: "two", name: "Two", when: rule }] };
    assert.deepEqual(putDefinition(checklist, { ...checklist, ...later, body: items }), { ...checklist, body: items });
  });

  test("an attribute of another type is refused, and one without a name keeps it", () => {
    const put = putDefinition(attribute, { ...attribute, body: { type: "text", name: "Seats" } });
    const message = 'The attribute "seats" is defined with the type number.';
    assert.deepEqual(put, { refused: { code: "attribute_conflict", message } });
    const unnamed = { ...attribute, body: { type: "number", name: undefined } } as const;
    assert.deepEqual(putDefinition(attribute, unnamed), attribute);
  });

  test("a key is a letter, then letters, digits and underscores", () => {
    const codes = (key: unknown): string[] => check(key, definitionKeyStruct).issues.map(({ code }) => code);
    for (const key of ["a", "Win_back2", "__proto__".slice(2), "x".repeat(100)]) assert.deepEqual(codes(key), []);
    for (const key of ["1st", "_a", "a-b", "a b", "ä"]) assert.deepEqual(codes(key), ["invalid_format"]);
    assert.deepEqual([codes(""), codes("x".repeat(101)), codes(1)], [["too_short"], ["too_long"], ["wrong_type"]]);
  });

  for (const kind of ["attributes", "audiences", "checklists"] as const) {
    test(`what is unknown cannot be deleted from the ${kind}`, async () => {
      const { tracker } = stoppedTracker();
      assert.equal((await refusalOf(tracker[kind].delete("nothing"))).code, "definition_not_found");
      assert.deepEqual(await issuesOf(tracker[kind].delete("no key")), ["key invalid_format"]);
      assert.deepEqual(await issuesOf(tracker[kind].delete(untyped(undefined))), ["key required"]);
    });
  }

  test("definitions of different kinds may have the same key", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "start", type: "text" });
    await tracker.audiences.define({ key: "start", name: "Start", rule });
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "start", name: "Start" }] });
    await tracker.audiences.delete("start");
    assert.deepEqual(
      [await tracker.attributes.list(), await tracker.audiences.list(), await tracker.checklists.list()],
      [
        [{ key: "start", type: "text", name: null }],
        [],
        [{ key: "start", name: "Start", items: [{ key: "start", name: "Start" }] }],
      ],
    );
  });
});
