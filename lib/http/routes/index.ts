import { IttyRouter } from "itty-router";
import { apiKeyRoutes } from "./api-keys.ts";
import { audienceRoutes } from "./audiences.ts";
import { batchRoutes } from "./batches.ts";
import { checklistRoutes } from "./checklists.ts";
import { contactRoutes } from "./contacts.ts";
import { definitionRoutes } from "./definition-routes.ts";
import { eventRoutes } from "./events.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import type { Route, RouteRequest } from "./route.ts";

/** All routes. Matching, the `Allow` header, HEAD and the OpenAPI document use this table. */
export const routes: readonly Route[] = [
  // Matching tries the patterns in this order, and POST /events is sent most.
  ...eventRoutes,
  ...contactRoutes,
  ...batchRoutes,
  ...definitionRoutes,
  ...audienceRoutes,
  ...checklistRoutes,
  ...subscriptionRoutes,
  ...apiKeyRoutes,
];

/** The route of a request, and the decoded parameters of its path. */
export type RouteMatch = Pick<RouteRequest, "parameters"> & { route: Route };

export type Match = RouteMatch | { allowed: string[] } | null;

// itty-router only compiles the paths here. Its `fetch` would parse the URL again, and it supports neither 405 nor HEAD.
const router = IttyRouter();
for (const { method, path } of routes) router.all(path, () => method);

/** Finds the route of a valid path; else the methods that the path allows, `null` for an unknown path. HEAD matches GET. */
export function matchRoute(method: string, path: string): Match {
  const wanted = method === "HEAD" ? "GET" : method;
  const allowed: string[] = [];
  for (const [index, [, pattern]] of router.routes.entries()) {
    const match = pattern.exec(path);
    if (!match) continue;
    // The router has the routes in the order of the table.
    const route = routes[index]!;
    if (route.method === wanted) return { route, parameters: decoded(match.groups) };
    allowed.push(route.method, ...(route.method === "GET" ? ["HEAD"] : []));
  }
  return allowed.length > 0 ? { allowed } : null;
}

const noParameters: Readonly<Record<string, string>> = {};

function decoded(groups: Record<string, string> | undefined): Readonly<Record<string, string>> {
  if (groups === undefined) return noParameters;
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
}
