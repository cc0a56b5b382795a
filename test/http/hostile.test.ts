import assert from "node:assert/strict";
import fc from "fast-check";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { suite } from "../support/suite.ts";
import { play } from "./hostile/play.ts";
import { sequence } from "./hostile/steps.ts";
import { createAnswerCounts } from "./hostile/answer-counts.ts";

const answerCounts = createAnswerCounts();

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
      fc.asyncProperty(sequence, (steps) => play(memoryStorage(), steps, answerCounts)),
      {
        numRuns: 200,
        includeErrorInReport: true,
      },
    );
  });

  test("were enough of every kind", () => {
    answerCounts.print();
    const keyless = answerCounts.count({ code: "missing_api_key" }) + answerCounts.count({ code: "invalid_api_key" });
    const keyed = answerCounts.count({}) - keyless;
    const succeeded = answerCounts.count({ isSuccess: true });
    console.log(`${keyed} requests with a valid key, ${succeeded} of them answered 2xx; ${keyless} without`);
    assert.ok(keyed >= 2_000, `${keyed} requests with a valid key`);
    assert.ok(succeeded >= keyed / 3, `${succeeded} of ${keyed} answered 2xx`);
    for (const route of routes) answerCounts.assertAtLeast(10, { route, isSuccess: true });
    for (const code of [...codes, "missing_api_key", "invalid_api_key"]) answerCounts.assertAtLeast(10, { code });
  });
});
