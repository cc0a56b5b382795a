import assert from "node:assert/strict";
import { issuesOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

interfaceSuite("attributes", (test) => {
  test("deleting a definition takes its values with it", async () => {
    const { tracker } = stoppedTracker();
    for (const key of ["seats", "floor"]) await tracker.attributes.define({ key, type: "number" });
    const input = { email: "ada@example.com", customAttributes: { seats: 1, floor: 2 } };
    await tracker.contacts.upsert(input);
    await tracker.attributes.delete("seats");
    assert.deepEqual((await tracker.contacts.get("ada@example.com"))?.customAttributes, { floor: 2 });
    assert.deepEqual((await tracker.contacts.list()).items[0]?.customAttributes, { floor: 2 });
    assert.deepEqual(await issuesOf(tracker.contacts.upsert(input)), ["customAttributes.seats attribute_not_defined"]);
  });
});
