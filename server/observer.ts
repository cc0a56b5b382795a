import { randomBytes } from "node:crypto";
import type { Answer } from "../lib/http/answer.ts";
import { isBelow, isValidlyEncoded, withoutBase } from "../lib/http/paths.ts";
import type { Call } from "../lib/http/respond.ts";
import { isTrackerError } from "../lib/model/errors.ts";
import { matchRoute, routes } from "../lib/http/routes/index.ts";
import { statusOf } from "../lib/http/statuses.ts";
import { logError } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** The method and the path of a request. */
export type RequestLine = Pick<Call, "method" | "path">;

/** The pattern of a request's route; `none` if it has none. Never a received path: each would be a metric of its own. */
export type RouteOf = (request: RequestLine) => string;

/** The patterns of the routes of an API at the base path. */
export function routesOf(basePath: string): RouteOf {
  const patterns = new Map(routes.map((route) => [route, basePath + route.path]));
  return ({ method, path }) => {
    if (!isBelow(path, basePath) || !isValidlyEncoded(path)) return "none";
    const match = matchRoute(method, withoutBase(path, basePath));
    // There is a pattern for each route.
    return match && "route" in match ? patterns.get(match.route)! : "none";
  };
}

/**
 * Wraps a function that answers requests. Gives each answer a new `X-Request-Id`, logs unexpected errors with that id, and
 * counts the answer if there are metrics. Ignores an id that a client sends: the client could write any text into the log.
 */
export function createObserver(
  metrics: Metrics | null,
): <Asked extends RequestLine>(
  respond: (call: Asked) => Promise<Answer>,
  routeOf: RouteOf,
) => (call: Asked) => Promise<Answer> {
  const server = randomBytes(4).toString("hex");
  let answered = 0;
  return (respond, routeOf) => (call) => {
    const since = metrics ? performance.now() : 0;
    return respond(call).then((answer) => {
      const requestId = `${server}-${(++answered).toString(36)}`;
      const { thrown } = answer;
      // The unexpected error of a visitor's first contact is answered 404.
      const isUnexpected = thrown !== undefined && !isTrackerError(thrown);
      if (isUnexpected || answer.status === statusOf("internal"))
        logError(thrown, { method: call.method, route: routeOf(call), requestId });
      metrics?.count(call.method, routeOf(call), answer, (performance.now() - since) / 1_000);
      const { status, headers, body } = answer;
      return { status, headers: [...headers, "X-Request-Id", requestId], body };
    });
  };
}
