import assert from "node:assert/strict";
import { createSharedCalls } from "../../../lib/bulk/shared-calls.ts";
import { suite } from "../../support/suite.ts";

suite("calls that are shared by name", (test) => {
  test("that fail fail for all who wait, and leave their turn to the next", async () => {
    const share = createSharedCalls(4);
    const gone = new Error("gone");
    const failing = Array.from({ length: 10 }, (_, n) => share(`${n % 5}`, () => Promise.reject(gone)));
    for (const { status } of await Promise.allSettled(failing)) assert.equal(status, "rejected");
    assert.equal(await share("0", async () => 1), 1);
  });
});
