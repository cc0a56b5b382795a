import assert from "node:assert/strict";
import { definitionKeyStruct } from "../../../lib/input/identifiers.ts";
import { check } from "../../../lib/input/shapes.ts";
import { stoppedTracker, issuesOf, refusalOf, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const rule = { kind: "has_done", eventKey: "step" } as const;
interfaceSuite("definitions", (test) => {
  test("a key is a letter, then letters, digits and underscores", () => {
    const codes = (key: unknown): string[] => check(key, definitionKeyStruct).issues.map(({ code }) => code);
    for (const key of ["a", "Win_back2", "__proto__".slice(2), "x".repeat(100)]) assert.deepEqual(codes(key), []);
    for (const key of ["1st", "_a", "a-b", "a b", "ä"]) assert.deepEqual(codes(key), ["invalid_format"]);
    assert.deepEqual([codes(""), codes("x".repeat(101)), codes(1)], [["too_short"], ["too_long"], ["wrong_type"]]);
  });

  for (const kind of ["attributes", "audiences", "checklists"] as const) {
    test(`deleting an unknown key from the ${kind} is refused`, async () => {
      const { tracker } = stoppedTracker();
      assert.equal((await refusalOf(tracker[kind].delete("nothing"))).code, "definition_not_found");
      assert.deepEqual(await issuesOf(tracker[kind].delete("no key")), ["key invalid_format"]);
      assert.deepEqual(await issuesOf(tracker[kind].delete(untyped(undefined))), ["key required"]);
    });
  }

  test("definitions of different kinds may have the same key", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "start", type: "text" });
    await tracker.audiences.define({ key: "start", name: "Start", rule });
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "start", name: "Start" }] });
    await tracker.audiences.delete("start");
    assert.deepEqual(
      [await tracker.attributes.list(), await tracker.audiences.list(), await tracker.checklists.list()],
      [
        [{ key: "start", type: "text", name: null }],
        [],
        [{ key: "start", name: "Start", items: [{ key: "start", name: "Start" }] }],
      ],
    );
  });
});
