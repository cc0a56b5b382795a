import { isTrackerError, TrackerError } from "../../lib/model/errors.ts";
import { errorAnswer, sealed, type Answer } from "../../lib/http/answer.ts";
import type { Headers } from "../../lib/http/headers.ts";
import { isBelow, withoutBase } from "../../lib/http/paths.ts";
import type { Call, Respond } from "../../lib/http/respond.ts";
import { apiPath, ownHeader } from "./agreed.ts";
import { createPages, isPage } from "./pages.ts";

export interface DashboardResponderOptions {
  respond: Respond;
  basePath: string;
  workspace: string;
  authorize(request: unknown): boolean | Promise<boolean>;
}

/** Forbids scripts, styles and requests of other origins, inline scripts and styles, frames, and text that becomes markup. */
const policy = [
  "default-src 'none'",
  ...["script", "style", "img", "connect"].map((kind) => `${kind}-src 'self'`),
  ...["frame-ancestors", "form-action", "base-uri"].map((directive) => `${directive} 'none'`),
  "require-trusted-types-for 'script'",
].join("; ");

/** The headers of every answer. The page holds an API key, or a session of the host. */
const secured: Headers = Object.entries({
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
}).flat();

/** Adds the headers to every answer, and answers errors. Never rejects. */
export function secure(answerCall: (call: Call) => Promise<Answer>): (call: Call) => Promise<Answer> {
  return async (call) => sealed(call, await answerCall(call).catch(refuse), secured);
}

/** Answers the pages and files of a mounted dashboard, and its API by the routes of the tracker. Never rejects. */
export function createDashboardResponder(options: DashboardResponderOptions): (call: Call) => Promise<Answer> {
  const { respond, basePath, workspace, authorize } = options;
  const answerPage = createPages({ basePath, apiPath: null });

  return secure(async (call) => {
    const path = pathIn(call.path, basePath);
    if (!(await isAuthorized(call)))
      throw new TrackerError("forbidden", { message: "You may not use this dashboard, or not any more." });
    if (!isBelow(path, apiPath)) return answerPage({ ...call, path });
    assertOwn(call);
    return respond({ ...call, path: path.slice(apiPath.length) || "/" }, { workspace, access: "admin" });
  });

  async function isAuthorized({ request, incoming }: Call): Promise<boolean> {
    try {
      return (await authorize(request ?? incoming)) === true;
    } catch {
      return false;
    }
  }
}

/** The path below the base path. Returns an unknown path unchanged, because the framework may have removed the base path. */
function pathIn(path: string, basePath: string): string {
  const below = withoutBase(path, basePath);
  return isBelow(below, apiPath) || isPage(below) ? below : path;
}

/** Refuses writes that a page of another origin could make a browser send. */
function assertOwn({ method, header }: Call): void {
  if (method === "GET" || method === "HEAD" || header(ownHeader) !== null) return;
  throw new TrackerError("forbidden", { message: `Writes need the header ${ownHeader}.` });
}

function refuse(thrown: unknown): Answer {
  const error = isTrackerError(thrown) ? thrown : new TrackerError("internal");
  return { ...errorAnswer(error), thrown };
}
