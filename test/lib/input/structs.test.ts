import assert from "node:assert/strict";
import { check } from "../../../lib/input/shapes.ts";
import {
  attributeDefinitionStruct,
  audienceDefinitionStruct,
  checklistDefinitionStruct,
  contactChangesStruct,
  definitionsStruct,
  newContactStruct,
  newEventStruct,
  trackOptionsStruct,
} from "../../../lib/input/structs.ts";
import { suite } from "../../support/suite.ts";

const keys = [
  "email",
  "externalId",
  "name",
  "phone",
  "avatarUrl",
  "role",
  "plan",
  "signedUpAt",
  "customAttributes",
] as const;

suite("structs", (test) => {
  for (const [name, struct] of Object.entries({ newContact: newContactStruct, contactChanges: contactChangesStruct })) {
    test(`${name} knows these keys and no other`, () => {
      const input = Object.fromEntries(
        [...keys, "id", "createdAt", "updatedAt", "extra"].map((key) => [key, () => {}]),
      );
      assert.deepEqual(
        check(input, struct as typeof contactChangesStruct).issues.map(({ path, code }) => `${path} ${code}`),
        [
          ...keys.map((key) => `${key} wrong_type`),
          "id unknown_field",
          "createdAt unknown_field",
          "updatedAt unknown_field",
          "extra unknown_field",
        ],
      );
    });
  }

  test("newEvent knows these keys and no other", () => {
    const names = ["externalId", "eventKey", "properties", "email", "event", "id", "createdAt", "recordedAt"];
    const input = Object.fromEntries(names.map((key) => [key, () => {}]));
    assert.deepEqual(
      check(input, newEventStruct).issues.map(({ path, code }) => `${path} ${code}`),
      [
        "externalId wrong_type",
        "eventKey wrong_type",
        "properties wrong_type",
        "createdAt wrong_type",
        "email unknown_field",
        "event unknown_field",
        "id unknown_field",
        "recordedAt unknown_field",
      ],
    );
  });

  test("trackOptions knows these keys and no other", () => {
    assert.deepEqual(
      check({ idempotencyKey: 5, "Idempotency-Key": "k" }, trackOptionsStruct).issues.map(({ path }) => path),
      ["idempotencyKey", "Idempotency-Key"],
    );
  });

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
