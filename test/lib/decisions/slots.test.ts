import assert from "node:assert/strict";
import { slotOf } from "../../../lib/decisions/slots.ts";
import { newId } from "../../../lib/model/ids.ts";
import { suite } from "../../support/suite.ts";

suite("decisions about slots", (test) => {
  test("a contact's slot is the lowest six bits of its id", () => {
    const id = "019c13b5-8a80-7000-8000-0000000000";
    assert.deepEqual(
      ["00", "3f", "40", "ff"].map((end) => slotOf(id + end)),
      [0, 63, 0, 63],
    );
  });

  test("new contacts are spread over all slots", () => {
    const slots = new Set(Array.from({ length: 2_000 }, () => slotOf(newId(0))));
    assert.equal(slots.size, 64);
  });
});
