import assert from "node:assert/strict";
import { draftsOf, findStored, nameOf } from "../../../lib/provisioning/list.ts";
import { stoppedTracker } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const rule = { kind: "has_done", eventKey: "Order Completed" } as const;
const list = {
  audiences: [{ key: "a", name: "A", rule }],
  checklists: [{ key: "a", name: "A", items: [{ key: "one", name: "One" }] }],
  attributes: [{ key: "a", type: "text" }],
  events: [{ key: "a" }],
} as const;

suite("lists of definitions", (test) => {
  test("definitions stand in the order of making, as listed and as stored", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.audiences.define(list.audiences[0]);
    await tracker.checklists.define(list.checklists[0]);
    await tracker.attributes.define(list.attributes[0]);
    await tracker.eventTypes.define(list.events[0]);
    const expected = ["event a", "attribute a", "checklist a", "audience a"];
    assert.deepEqual(draftsOf(list).map(nameOf), expected);
    const stored = await findStored({ storage, workspace: "default", now: () => 0 });
    assert.deepEqual(stored.map(nameOf), expected);
  });
});
