import type { Answer } from "../../lib/http/answer.ts";
import type { Call } from "../../lib/http/respond.ts";
import type { RouteOf } from "../observer.ts";
import { createPages, isPage } from "./pages.ts";
import { secure } from "./responder.ts";

export const dashboardPath = "/dashboard";

/** The dashboard of the server: files for everybody. The page asks for an API key, and sends it to the API at `apiPath`. */
export function createStandalone(apiPath: string): (call: Call) => Promise<Answer> {
  const answerPage = createPages({ basePath: dashboardPath, apiPath });
  return secure(async (call) => answerPage({ ...call, path: call.path.slice(dashboardPath.length) }));
}

/** The path of the page, or of a file that it needs. */
export const dashboardRouteOf: RouteOf = ({ path }) =>
  isPage(path.slice(dashboardPath.length)) ? path.replace(/\/$/, "") : "none";
