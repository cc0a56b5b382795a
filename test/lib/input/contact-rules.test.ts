import assert from "node:assert/strict";
import { ruleStruct } from "../../../lib/input/rules.ts";
import { check } from "../../../lib/input/shapes.ts";
import { suite } from "../../support/suite.ts";

const refused: [unknown, string[]][] = [
  [{ kind: "field" }, ["field required", "operator required", "value required"]],
  [{ kind: "field", field: "seats", operator: "equals", value: "x" }, ["field invalid_format"]],
  [{ kind: "field", field: "toString", operator: "equals", value: "x" }, ["field invalid_format"]],
  [{ kind: "field", field: "plan", operator: "within", value: { days: 1 } }, ["operator invalid_format"]],
  [{ kind: "field", field: "plan", operator: "greater_than", value: 1 }, ["operator invalid_format"]],
  [{ kind: "field", field: "createdAt", operator: "equals", value: "x" }, ["operator invalid_format"]],
  [{ kind: "field", field: "createdAt", operator: "within", value: {} }, ["value too_short"]],
  [{ kind: "field", field: "createdAt", operator: "within", value: { days: 0 } }, ["value.days out_of_range"]],
  [{ kind: "field", field: "plan", operator: "equals", value: 1 }, ["value wrong_type"]],
  [{ kind: "field", field: "plan", operator: "equals", value: null }, ["value not_allowed_null"]],
  [{ kind: "field", field: "plan", operator: "equals", value: "\ud800" }, ["value invalid_format"]],
  [{ kind: "field", field: "plan", operator: "equals", value: "x".repeat(4_097) }, ["value too_long"]],
  [{ kind: "field", field: "plan", operator: "is_set", value: "true" }, ["value wrong_type"]],
  [{ kind: "field", field: "plan", operator: "is_set" }, ["value required"]],
  [{ kind: "field", field: "plan", operator: "one_of", value: "pro" }, ["value wrong_type"]],
  [{ kind: "field", field: "plan", operator: "one_of", value: [] }, ["value empty_list"]],
  [{ kind: "field", field: "plan", operator: "one_of", value: ["x", 1] }, ["value.1 wrong_type"]],
  [{ kind: "field", field: "plan", operator: "one_of", value: Array(1_001).fill("x") }, ["value too_long"]],
  ...["contains", "starts_with", "ends_with"].map((operator): [unknown, string[]] => [
    { any: [{ kind: "field", field: "plan", operator, value: "" }] },
    ["any.0.value too_short"],
  ]),
  [{ kind: "field", field: "plan", operator: "equals", value: "x", key: "k" }, ["key unknown_field"]],
  [{ kind: "attribute", key: "city", operator: "like", value: "x" }, ["operator invalid_format"]],
  [{ kind: "attribute", key: "no key", operator: "equals", value: "x" }, ["key invalid_format"]],
  [{ kind: "attribute", key: "seats", operator: "equals", value: 2 ** 53 }, ["value out_of_range"]],
  [{ kind: "attribute", key: "seats", operator: "less_than", value: NaN }, ["value out_of_range"]],
  [{ kind: "attribute", key: "seats", operator: "between", value: [2, 1] }, ["value.1 out_of_range"]],
  [{ kind: "attribute", key: "seats", operator: "between", value: [1] }, ["value out_of_range"]],
  [{ kind: "attribute", key: "seats", operator: "between", value: [1, 2, 3] }, ["value too_long"]],
  [{ kind: "attribute", key: "beta", operator: "one_of", value: [true] }, ["value.0 wrong_type"]],
  [{ kind: "checklist_completed" }, ["checklistKey required"]],
];

suite("rules about fields and attributes", (test) => {
  for (const [rule, issues] of refused) {
    test(`refused: ${issues.join()} of ${JSON.stringify(rule).slice(0, 100)}`, () =>
      assert.deepEqual(
        check(rule, ruleStruct).issues.map(({ path, code }) => `${path} ${code}`),
        issues,
      ));
  }
});
