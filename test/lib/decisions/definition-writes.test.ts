import assert from "node:assert/strict";
import { frozen, putDefinition } from "../../../lib/decisions/definition-writes.ts";
import { newId } from "../../../lib/model/ids.ts";
import type { AttributeRow, AudienceRow, ChecklistRow } from "../../../lib/storage/rows.ts";
import { suite } from "../../support/suite.ts";

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

suite("definition decisions", (test) => {
  test("a new definition is stored as drafted, an attribute without a name with null", () => {
    for (const draft of [attribute, audience, checklist]) assert.deepEqual(putDefinition(null, draft), draft);
    const unnamed = { ...attribute, body: { type: "number", name: undefined } } as const;
    assert.deepEqual(putDefinition(null, unnamed), { ...attribute, body: { type: "number", name: null } });
  });

  test("a definition put again keeps its id and createdAt", () => {
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

  test("frozen freezes the value itself, with everything in it", () => {
    const value = structuredClone(checklist);
    assert.equal(frozen(value), value);
    for (const part of [value, value.body, value.body.items, value.body.items[0]]) assert.ok(Object.isFrozen(part));
  });
});
