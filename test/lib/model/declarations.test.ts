import assert from "node:assert/strict";
import { valueTypes } from "../../../lib/model/declarations.ts";
import { suite } from "../../support/suite.ts";

suite("declarations", (test) => {
  test("each type of a value has the name that typeof gives for it", () => {
    const values = { text: "a", number: 1, boolean: true };
    assert.deepEqual(Object.keys(valueTypes), Object.keys(values));
    for (const [type, value] of Object.entries(values)) {
      assert.equal(valueTypes[type as keyof typeof values].name, typeof value);
    }
  });
});
