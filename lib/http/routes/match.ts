import { IttyRouter } from "itty-router";
import { TrackerError } from "../../model/errors.ts";
import { allow, type Headers } from "../headers.ts";
import { isValidlyEncoded } from "../paths.ts";

/** A line of a table of routes. */
interface Routed {
  method: string;
  path: string;
}

/** The route of a request, and the decoded parameters of its path. */
export interface Matched<Route> {
  route: Route;
  parameters: Readonly<Record<string, string>>;
}

/** Finds the route of a valid path; else the methods that the path allows, `null` for an unknown path. HEAD matches GET. */
export type Matcher<Route> = (method: string, path: string) => Matched<Route> | { allowed: string[] } | null;

export function createMatcher<Route extends Routed>(routes: readonly Route[]): Matcher<Route> {
  // itty-router only compiles the paths here. Its `fetch` would parse the URL again, and it supports neither 405 nor HEAD.
  const router = IttyRouter();
  for (const { method, path } of routes) router.all(path, () => method);
  return (method, path) => {
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
  };
}

/** The route of a request. Throws `invalid_path`, `route_not_found`, and `method_not_allowed` after it has added `Allow`. */
export function findRoute<Route>(
  match: Matcher<Route>,
  { method, path }: { method: string; path: string },
  headers: Headers,
): Matched<Route> {
  if (!isValidlyEncoded(path)) throw new TrackerError("invalid_path");
  const found = match(method, path);
  if (!found) throw new TrackerError("route_not_found");
  if ("route" in found) return found;
  headers.push(...allow(found.allowed));
  throw new TrackerError("method_not_allowed");
}

const noParameters: Readonly<Record<string, string>> = {};

function decoded(groups: Record<string, string> | undefined): Readonly<Record<string, string>> {
  if (groups === undefined) return noParameters;
  // The copy that `exec` has made. It has no prototype.
  for (const name in groups) groups[name] = decodeURIComponent(groups[name]!);
  return groups;
}
