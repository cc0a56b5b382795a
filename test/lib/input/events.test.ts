import assert from "node:assert/strict";
import { newEventStruct, parseEvent } from "../../../lib/input/events.ts";
import { issuesOf } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-01-31T09:00:00.000Z");
const step = { externalId: "u_1", eventKey: "step" };

function timeOf(createdAt: unknown): number | null {
  return parseEvent({ ...step, createdAt }, newEventStruct, now).happenedAt;
}

suite("events as they are sent", (test) => {
  test("an event without a time gives none", () => assert.equal(timeOf(undefined), null));

  test("a time is a text or a Date", () => {
    assert.deepEqual([timeOf("1970-01-01T01:00:00+01:00"), timeOf(new Date(now + 300_000))], [0, now + 300_000]);
  });

  test("each field is read once: a getter may give another time at the second", () => {
    let reads = 0;
    const input = {
      ...step,
      get createdAt() {
        reads++;
        return new Date(reads);
      },
    };
    assert.deepEqual([parseEvent(input, newEventStruct, now).happenedAt, reads], [1, 1]);
  });

  for (const [what, input, issues] of [
    ["more than 5 minutes ahead", { ...step, createdAt: new Date(now + 300_001) }, ["createdAt out_of_range"]],
    ["no time", { ...step, createdAt: "now" }, ["createdAt invalid_format"]],
    ["a number", { ...step, createdAt: now }, ["createdAt wrong_type"]],
    [
      "several faults at once",
      { externalId: "u_1", createdAt: "9999-01-01T00:00:00Z", at: 1 },
      ["eventKey required", "at unknown_field", "createdAt out_of_range"],
    ],
    ["no object", null, [" wrong_type"]],
    ["a list with a time", Object.assign([], { createdAt: "9999-01-01T00:00:00Z" }), [" wrong_type"]],
  ] as const) {
    test(`is refused: ${what}`, async () => {
      const parsing = async (): Promise<unknown> => parseEvent(input, newEventStruct, now);
      assert.deepEqual(await issuesOf(parsing()), issues);
    });
  }
});
