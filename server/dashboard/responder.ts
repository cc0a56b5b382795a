import { isTrackerError, TrackerError } from "../../lib/model/errors.ts";
import { errorAnswer, type Answer } from "../../lib/http/answer.ts";
import type { Headers } from "../../lib/http/headers.ts";
import { isBelow, withoutBase } from "../../lib/http/paths.ts";
import type { Call, Respond } from "../../lib/http/respond.ts";
import { apiPath, ownHeader, sessionPath } from "./agreed.ts";
import { createPages, isPage } from "./pages.ts";

/** Lets people in by a password of the server's own. */
export interface Login {
  /** Begins and ends sessions. */
  respond(call: Call): Promise<Answer>;
  /** Whether the request has a session. */
  authorize(request: unknown): Promise<boolean>;
}

export interface DashboardResponderOptions {
  respond: Respond;
  basePath: string;
  workspace: string;
  authorize(request: unknown): boolean | Promise<boolean>;
  /** If set, anybody may load the page and its files. */
  login?: Login;
}

/** The headers of every answer. No page of another origin can frame the dashboard, and the dashboard asks no other origin. */
const secured: Headers = Object.entries({
  "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
}).flat();
const cacheControl = "Cache-Control";

/** Answers the pages and files of the dashboard, and its API by the routes of the tracker. Never rejects. */
export function createDashboardResponder(options: DashboardResponderOptions): (call: Call) => Promise<Answer> {
  const { respond, basePath, workspace, authorize, login } = options;
  const answerPage = createPages({ basePath, hasLogin: login !== undefined });

  return async (call) => {
    const { headers, body, ...answer } = await answerCall(call).catch(refuse);
    const caching = headers.includes(cacheControl) ? [] : [cacheControl, "no-store"];
    return { ...answer, headers: headers.concat(secured, caching), body: call.method === "HEAD" ? "" : body };
  };

  async function answerCall(call: Call): Promise<Answer> {
    const path = pathIn(call.path, basePath);
    const isApi = isBelow(path, apiPath);
    // Everybody may see the page on which one logs in, and its script.
    if ((isApi || !login) && !(await isAuthorized(call))) {
      throw new TrackerError("forbidden", { message: "You may not use this dashboard, or not any more." });
    }
    if (isApi || path === sessionPath) assertOwn(call);
    if (isApi) return respond({ ...call, path: path.slice(apiPath.length) || "/" }, { workspace, access: "admin" });
    if (login && path === sessionPath) return login.respond(call);
    return answerPage({ ...call, path });
  }

  async function isAuthorized({ request, incoming }: Call): Promise<boolean> {
    try {
      return (await authorize(request ?? incoming)) === true;
    } catch {
      return false;
    }
  }
}

/** The parts of a dashboard that are no route of the API. */
export function isPart(path: string): boolean {
  return path === sessionPath || isPage(path);
}

/** The path below the base path. Returns an unknown path unchanged, because the framework may have removed the base path. */
function pathIn(path: string, basePath: string): string {
  const below = withoutBase(path, basePath);
  return isBelow(below, apiPath) || isPart(below) ? below : path;
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
