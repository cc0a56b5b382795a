import { TrackerError } from "../lib/errors.ts";
import { encoded, refusal, toAnswer, type Answer } from "../lib/http/answer.ts";
import { openApiDocument } from "../lib/http/openapi/index.ts";
import { ok, statusOf } from "../lib/http/statuses.ts";
import type { Storage } from "../lib/storage/port.ts";
import { createHealth } from "./health.ts";

const healthPath = "/healthz";
const documentPath = "/openapi.json";

/** Whether the server answers this path beside the API. */
export function isBeside(path: string): boolean {
  return path === healthPath || path === documentPath;
}

/** Answers the paths beside the API, and refuses all others. */
export function createBeside(storage: Storage, basePath: string): (call: { path: string }) => Promise<Answer> {
  const isHealthy = createHealth(storage);
  // Made once: it takes 5 ms, and anybody may ask for it.
  const document = encoded(toAnswer(ok, openApiDocument(basePath)));
  return async ({ path }) => {
    if (path === documentPath) return document;
    if (path !== healthPath) return refusal(new TrackerError("route_not_found"));
    const healthy = await isHealthy();
    return toAnswer(healthy ? ok : statusOf("storage_unavailable"), { status: healthy ? "ok" : "unavailable" });
  };
}
