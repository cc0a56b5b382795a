import assert from "node:assert/strict";
import { definitionKeyStruct } from "../../../lib/input/identifiers.ts";
import { check } from "../../../lib/input/shapes.ts";
import { stoppedTracker, issuesOf, refusalOf, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

interfaceSuite("definitions", (test) => {
  test("a key is a letter, then letters, digits and underscores", () => {
    const codes = (key: unknown): string[] => check(key, definitionKeyStruct).issues.map(({ code }) => code);
    for (const key of ["a", "Win_back2", "__proto__".slice(2), "x".repeat(100)]) assert.deepEqual(codes(key), []);
    for (const key of ["1st", "_a", "a-b", "a.b", "a b", "a\n", "é", "__proto__"])
      assert.deepEqual(codes(key), ["invalid_format"]);
    assert.deepEqual(["", "x".repeat(101), 1, null].flatMap(codes), [
      "too_short",
      "too_long",
      "wrong_type",
      "not_allowed_null",
    ]);
  });

  for (const kind of ["attributes", "audiences", "checklists"] as const) {
    test(`deleting an unknown key from the ${kind} is refused`, async () => {
      const { tracker } = stoppedTracker();
      assert.equal((await refusalOf(tracker[kind].delete("nothing"))).code, "definition_not_found");
      assert.deepEqual(await issuesOf(tracker[kind].delete("no key")), ["key invalid_format"]);
      assert.deepEqual(await issuesOf(tracker[kind].delete(untyped(undefined))), ["key required"]);
    });
  }
});
