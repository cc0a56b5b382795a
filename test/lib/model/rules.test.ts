import assert from "node:assert/strict";
import type { Rule } from "../../../lib/index.ts";
import { simpleRules } from "../../../lib/model/rules.ts";
import { suite } from "../../support/suite.ts";

suite("rules", (test) => {
  test("the simple rules of a rule come in order, however deep they are", () => {
    const [first, second, third] = ["a", "b", "c"].map((eventKey): Rule => ({ kind: "has_done", eventKey }));
    assert.ok(first && second && third);
    assert.deepEqual(simpleRules(first), [first]);
    assert.deepEqual(simpleRules({ all: [first, { any: [{ not: second }, third] }] }), [first, second, third]);
  });
});
