import { TrackerError } from "../lib/model/errors.ts";
import { encoded, errorAnswer, toAnswer, type Answer } from "../lib/http/answer.ts";
import { openApiDocument } from "../lib/http/openapi/index.ts";
import { ok, statusOf } from "../lib/http/statuses.ts";
import type { HealthMethods } from "../lib/health.ts";
import type { RequestLine } from "./observer.ts";

const rootPath = "/";
const healthPath = "/healthz";
const documentPath = "/openapi.json";

/** Whether the server answers this path beside the API. */
export function isBeside(path: string): boolean {
  return [rootPath, healthPath, documentPath].includes(path);
}

/** Answers the paths beside the API, and refuses all others. `dashboardPath` is `null` if there is no dashboard. */
export function createBeside(
  tracker: HealthMethods,
  basePath: string,
  dashboardPath: string | null,
): (call: RequestLine) => Promise<Answer> {
  // Made once, because it takes 5 ms and anybody may request it.
  const document = encoded(toAnswer(ok, openApiDocument(basePath)));
  const names = { api: basePath, openapi: documentPath, ...(dashboardPath !== null && { dashboard: dashboardPath }) };
  const root = toAnswer(ok, names);
  return async ({ method, path }) => {
    // Only for reads: a write to a wrong address must not look like a success.
    if (path === rootPath && (method === "GET" || method === "HEAD")) return root;
    if (path === documentPath) return document;
    if (path !== healthPath) return errorAnswer(new TrackerError("route_not_found"));
    const { ok: isOk } = await tracker.health();
    return toAnswer(isOk ? ok : statusOf("storage_unavailable"), { status: isOk ? "ok" : "unavailable" });
  };
}
