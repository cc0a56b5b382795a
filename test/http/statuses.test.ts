import assert from "node:assert/strict";
import { errorMessages, type ErrorCode } from "../../lib/model/errors.ts";
import { metCodes } from "../../lib/http/statuses.ts";
import { createTracker, statusOf } from "../../lib/index.ts";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { refusalOf, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

suite("statuses", (test) => {
  test("every code has a status, also those that no request can meet", () => {
    const codes = Object.keys(errorMessages) as ErrorCode[];
    for (const code of codes) assert.ok(statusOf(code) >= 400 && statusOf(code) < 600, code);
    assert.equal(codes.length - metCodes.length, 3);
  });

  test("a route of one's own answers with the status of the code", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    assert.equal(statusOf((await refusalOf(tracker.audiences.count("gone"))).code), 404);
    assert.equal(statusOf((await refusalOf(tracker.contacts.upsert({ email: "ada" }))).code), 400);
  });

  test("a code of a later version is an error of ours", () => {
    for (const code of ["too_early", "toString", ""]) assert.equal(statusOf(untyped(code)), 500);
  });
});
