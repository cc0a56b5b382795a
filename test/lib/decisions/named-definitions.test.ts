import assert from "node:assert/strict";
import { audienceDraft, checklistDraft, definitionDraft } from "../../../adapters/storage-contract/drafts.ts";
import { refusalOfAudience, refusalOfDeletion } from "../../../lib/decisions/named-definitions.ts";
import type { Rule } from "../../../lib/model/types.ts";
import { suite } from "../../support/suite.ts";

const rule: Rule = {
  any: [
    { kind: "attribute", key: "seats", operator: "is_set", value: true },
    { not: { kind: "checklist_completed", checklistKey: "start" } },
  ],
};

suite("definitions that rules name", (test) => {
  test("an audience fits if all that its rule names is defined", () => {
    const named = [definitionDraft({ key: "seats" }), checklistDraft({ key: "start" })];
    assert.equal(refusalOfAudience(audienceDraft({ rule }), named), null);
    const issues = refusalOfAudience(audienceDraft({ rule }), [])?.refused.issues;
    assert.deepEqual(
      issues?.map(({ path, code }) => `${path} ${code}`),
      ["rule.any.0.key attribute_not_defined", "rule.any.1.not.checklistKey checklist_not_defined"],
    );
  });

  test("an attribute and a checklist that an audience names are in use, and an event type is not", () => {
    const audiences = [audienceDraft({ key: "seated", rule }), audienceDraft({ key: "others" })];
    assert.deepEqual(refusalOfDeletion("attribute", "seats", audiences)?.refused, {
      code: "definition_in_use",
      message: 'The attribute "seats" is used by audiences: "seated".',
    });
    assert.equal(refusalOfDeletion("checklist", "start", audiences)?.refused.code, "definition_in_use");
    assert.equal(refusalOfDeletion("checklist", "seats", audiences), null);
    assert.equal(refusalOfDeletion("event", "step", audiences), null);
  });
});
