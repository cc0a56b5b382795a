import assert from "node:assert/strict";
import { newEventStruct } from "../../../lib/input/events.ts";
import { check } from "../../../lib/input/shapes.ts";
import { suite } from "../../support/suite.ts";

suite("problems with values", (test) => {
  test("the longest name has 100 bytes, and the longest text 4,096", () => {
    const [name, text] = ["é".repeat(50), "é".repeat(2_048)];
    const codes = (properties: object) =>
      check({ externalId: "u_1", eventKey: "bought", properties }, newEventStruct).issues.map(({ code }) => code);
    assert.deepEqual(codes({ [name]: text }), []);
    assert.deepEqual(codes({ [`${name}a`]: 1, text: `${text}a` }), ["too_long", "too_long"]);
  });
});
