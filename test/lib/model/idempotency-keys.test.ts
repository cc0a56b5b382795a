import assert from "node:assert/strict";
import { idempotencyKeyProblem } from "../../../lib/model/idempotency-keys.ts";
import { suite } from "../../support/suite.ts";

suite("idempotency keys", (test) => {
  test("are 1 to 255 visible ASCII characters", () => {
    for (const key of ["k", "~!", "k".repeat(255)]) assert.equal(idempotencyKeyProblem(key), null);
    assert.deepEqual(["", "k".repeat(256), "a b", "é", "\n", 5, null].map(idempotencyKeyProblem), [
      "too_short",
      "too_long",
      "invalid_format",
      "invalid_format",
      "invalid_format",
      "wrong_type",
      "not_allowed_null",
    ]);
  });
});
