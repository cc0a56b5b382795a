import assert from "node:assert/strict";
import { pauseAfter, slotOf } from "../../../lib/decisions/consumers.ts";
import { newId } from "../../../lib/model/ids.ts";
import { suite } from "../../support/suite.ts";

suite("decisions about consumers", (test) => {
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

  test("pauses grow from 5 s to an hour, and end after ten tries", () => {
    const limits = { tries: 10, firstPauseSeconds: 5, longestPauseSeconds: 3_600 };
    const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, limits));
    const seconds = [5, 15, 45, 135, 405, 1_215, 3_600, 3_600, 3_600];
    assert.deepEqual(pauses, [...seconds.map((each) => each * 1_000), null]);
    assert.equal(pauseAfter(1, { ...limits, tries: 1 }), null);
  });
});
