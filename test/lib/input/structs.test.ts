import assert from "node:assert/strict";
import { check } from "../../../lib/input/shapes.ts";
import { newEventStruct, trackOptionsStruct } from "../../../lib/input/events.ts";
import { contactChangesStruct, newApiKeyStruct, newContactStruct } from "../../../lib/input/structs.ts";
import { suite } from "../../support/suite.ts";

const keys = [
  "email",
  "externalId",
  "name",
  "phone",
  "role",
  "plan",
  "avatarUrl",
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

  test("newApiKey knows these keys and no other", () => {
    const names = ["name", "access", "requestsPerMinute", "expiresAt", "key", "workspace"];
    const input = Object.fromEntries(names.map((key) => [key, () => {}]));
    assert.deepEqual(
      check(input, newApiKeyStruct).issues.map(({ path, code }) => `${path} ${code}`),
      [
        "name wrong_type",
        "access wrong_type",
        "requestsPerMinute wrong_type",
        "expiresAt wrong_type",
        "key unknown_field",
        "workspace unknown_field",
      ],
    );
  });
});
