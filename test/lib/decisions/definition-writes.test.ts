import assert from "node:assert/strict";
import { checklistDraft } from "../../../adapters/storage-contract/drafts.ts";
import { frozen } from "../../../lib/decisions/definition-writes.ts";
import { suite } from "../../support/suite.ts";

// The storage contract asserts what is stored of a definition.
suite("definition decisions", (test) => {
  test("frozen freezes the value itself, with everything in it", () => {
    const value = checklistDraft({ items: [{ key: "one", name: "One" }] });
    assert.equal(frozen(value), value);
    for (const part of [value, value.body, value.body.items, value.body.items[0]]) assert.ok(Object.isFrozen(part));
  });
});
