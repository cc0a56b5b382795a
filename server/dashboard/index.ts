import { createHandler } from "../../lib/http/fetch-handler.ts";
import { assertBasePath } from "../../lib/http/paths.ts";
import { respondSymbol, type WithRespond } from "../../lib/http/respond.ts";
import { refuseOthers } from "../../lib/model/arguments.ts";
import type { Tracker } from "../../lib/tracker.ts";
import { createDashboardResponder } from "./responder.ts";

/** The options of `dashboard`. */
export interface DashboardOptions {
  /**
   * The path under which a browser reaches the dashboard, percent-encoded as in a URL, without a trailing slash. A request path
   * that does not start with it is used as it is: the framework has removed the base path already.
   */
  basePath: string;
  /**
   * Called for each request, also to the dashboard's own API, with the request that the framework passed on. It is an
   * `IncomingMessage` (Express passes its own `Request`), or the `Request` of `handle`. Only `true` grants access. Any other
   * value, and any error, is answered with 403.
   */
  authorize(request: unknown): boolean | Promise<boolean>;
  /** The workspace that is shown; `default` by default. */
  workspace?: string | undefined;
}

/** The pages of a workspace, and the API that they use. */
export interface Dashboard {
  /** Answers one HTTP request. Never rejects. */
  handle(request: Request): Promise<Response>;
}

/**
 * Creates a dashboard to mount with `toListener`, or by its `handle`. A request that `authorize` accepts may do what an API
 * key with the access `admin` may do in the workspace. It needs no API key, and counts against no limit.
 * - Throws a `TypeError` for an unknown option and for a tracker that `createTracker` did not make.
 * - Throws a `RangeError` for a base path that no URL has, and `invalid_input` for a name that no workspace can have.
 */
export function dashboard(tracker: Tracker, options: DashboardOptions): Dashboard {
  const { basePath, authorize, workspace = "default", ...others } = options;
  refuseOthers("dashboard", others);
  const respond = (tracker as Tracker & Partial<WithRespond>)[respondSymbol];
  if (!respond) throw new TypeError("dashboard takes a tracker made by createTracker");
  if (typeof authorize !== "function") throw new TypeError("authorize must be a function");
  assertBasePath(basePath);
  // Throws for a name that no workspace can have.
  tracker.workspace(workspace);
  const respondDashboard = createDashboardResponder({ respond, basePath, workspace, authorize });
  const mounted: Dashboard & WithRespond = {
    [respondSymbol]: respondDashboard,
    handle: createHandler(respondDashboard),
  };
  return mounted;
}
