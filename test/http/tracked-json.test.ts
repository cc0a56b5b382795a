import assert from "node:assert/strict";
import fc, { type Arbitrary } from "fast-check";
import { trackedJson } from "../../lib/http/tracked-json.ts";
import { suite } from "../support/suite.ts";

/** Each character of ASCII and some others beside it, by itself and inside a text. */
const characters = Array.from({ length: 0x101 }, (_, code) => String.fromCharCode(code));
const awkward = ["", ...characters, "\u2028", "\ud800", "\udfff", "😀", "e\u0301", "__proto__", '\\"', "</script>"];
const text: Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.tuple(fc.string(), fc.constantFrom(...awkward), fc.string()).map((parts) => parts.join("")),
);
const event = fc.record({ id: text, eventKey: text, contactId: text, createdAt: text }, { noNullPrototype: true });
const count = fc.double();
const item = fc.record({
  checklistKey: text,
  itemKey: text,
  name: text,
  completedAt: text,
  progress: fc.record({ completed: count, total: count }),
});

suite("the answer to an event as JSON", (test) => {
  test("is byte for byte that of JSON.stringify", () => {
    const check = (...[given, items]: Parameters<typeof trackedJson>): void => {
      const value = { success: true, event: given, completedChecklistItems: items };
      assert.equal(trackedJson(given, items), JSON.stringify(value));
    };
    fc.assert(fc.property(event, fc.array(item, { maxLength: 3 }), check), { numRuns: 5_000 });
    for (const eventKey of awkward) {
      check({ id: "id", eventKey, contactId: "contact", createdAt: "2026-01-31T09:00:00.000Z" }, []);
    }
  });
});
