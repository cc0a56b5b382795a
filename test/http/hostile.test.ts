import assert from "node:assert/strict";
import fc from "fast-check";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { suite } from "../support/suite.ts";
import { play } from "./hostile/play.ts";
import { sequence } from "./hostile/steps.ts";
import { createTally } from "./hostile/tally.ts";

const tally = createTally();

const routes = [
  "POST /contacts",
  "GET /contacts/:externalId",
  "PATCH /contacts/:externalId",
  "DELETE /contacts/:identifier",
  "POST /events",
];

const codes = [
  "malformed_json",
  "invalid_input",
  "invalid_path",
  "invalid_header",
  "contact_not_found",
  "route_not_found",
  "method_not_allowed",
  "body_too_large",
  "unsupported_media_type",
  "email_taken",
  "external_id_taken",
  "ambiguous_identifier",
  "idempotency_key_reused",
  "rate_limited",
  "internal",
  "storage_unavailable",
];

suite("hostile requests", (test) => {
  test("are each answered as a simple model says, and what they stored reads back equal", async () => {
    await fc.assert(
      fc.asyncProperty(sequence, (steps) => play(memoryStorage(), steps, tally)),
      {
        numRuns: 200,
        interruptAfterTimeLimit: 120_000,
        markInterruptAsFailure: true,
        includeErrorInReport: true,
      },
    );
  });

  test("were enough of every kind", () => {
    tally.print();
    const keyless = tally.count({ code: "missing_api_key" }) + tally.count({ code: "invalid_api_key" });
    const keyed = tally.count({}) - keyless;
    const succeeded = tally.count({ isSuccess: true });
    console.log(`${keyed} requests with a valid key, ${succeeded} of them answered 2xx; ${keyless} without`);
    assert.ok(keyed >= 2_000, `${keyed} requests with a valid key`);
    assert.ok(succeeded >= keyed / 3, `${succeeded} of ${keyed} answered 2xx`);
    for (const route of routes) tally.assertAtLeast(10, { route, isSuccess: true });
    for (const code of [...codes, "missing_api_key", "invalid_api_key"]) tally.assertAtLeast(10, { code });
  });
});
