import type { Answer } from "../../lib/http/answer.ts";
import { isBelow } from "../../lib/http/paths.ts";
import type { Call, Respond } from "../../lib/http/respond.ts";
import { routesOf, type RouteOf } from "../observer.ts";
import { createLogin, type PasswordSettings } from "./login.ts";
import { apiPath } from "./agreed.ts";
import { createDashboardResponder, isPart } from "./responder.ts";

export const dashboardPath = "/dashboard";
const dashboardApiPath: string = dashboardPath + apiPath;

/** The dashboard of the server: of the workspace `default`, for those who know the password. */
export function createStandalone(respond: Respond, settings: PasswordSettings): (call: Call) => Promise<Answer> {
  const login = createLogin({ ...settings, basePath: dashboardPath, now: Date.now });
  const { authorize } = login;
  return createDashboardResponder({ respond, basePath: dashboardPath, workspace: "default", authorize, login });
}

const apiRouteOf = routesOf(dashboardApiPath);

/** The pattern of a route of the API, or the path of a page, a file or the session. */
export const dashboardRouteOf: RouteOf = (request) => {
  if (isBelow(request.path, dashboardApiPath)) return apiRouteOf(request);
  return isPart(request.path.slice(dashboardPath.length)) ? request.path.replace(/\/$/, "") : "none";
};
