import assert from "node:assert/strict";
import {
  attributeDefinitionStruct,
  audienceDefinitionStruct,
  checklistDefinitionStruct,
  definitionsStruct,
} from "../../../lib/input/definition-structs.ts";
import { check } from "../../../lib/input/shapes.ts";
import { suite } from "../../support/suite.ts";

suite("definitions", (test) => {
  test("attributeDefinition knows these keys and no other", () => {
    const input = Object.fromEntries(["key", "type", "name", "id", "extra"].map((key) => [key, () => {}]));
    assert.deepEqual(
      check(input, attributeDefinitionStruct).issues.map(({ path, code }) => `${path} ${code}`),
      ["key wrong_type", "type wrong_type", "name wrong_type", "id unknown_field", "extra unknown_field"],
    );
  });

  test("audienceDefinition knows these keys and no other", () => {
    const input = Object.fromEntries(["key", "name", "rule", "id", "description"].map((key) => [key, () => {}]));
    assert.deepEqual(
      check(input, audienceDefinitionStruct).issues.map(({ path, code }) => `${path} ${code}`),
      ["key wrong_type", "name wrong_type", "rule wrong_type", "id unknown_field", "description unknown_field"],
    );
  });

  test("checklistDefinition knows these keys and no other", () => {
    const input = Object.fromEntries(["key", "name", "items", "id"].map((key) => [key, () => {}]));
    assert.deepEqual(
      check(input, checklistDefinitionStruct).issues.map(({ path, code }) => `${path} ${code}`),
      ["key wrong_type", "name wrong_type", "items wrong_type", "id unknown_field"],
    );
  });

  test("definitions knows these keys and no other", () => {
    const input = Object.fromEntries(
      ["attributes", "audiences", "checklists", "workspaces", "apiKeys"].map((key) => [key, () => {}]),
    );
    assert.deepEqual(
      check(input, definitionsStruct).issues.map(({ path, code }) => `${path} ${code}`),
      [
        "attributes wrong_type",
        "audiences wrong_type",
        "checklists wrong_type",
        "workspaces unknown_field",
        "apiKeys unknown_field",
      ],
    );
  });
});
