import { randomBytes } from "node:crypto";
import type { Answer } from "../lib/http/answer.ts";
import { isBelow, isValidlyEncoded, withoutBase } from "../lib/http/paths.ts";
import type { Call } from "../lib/http/respond.ts";
import { matchRoute, routes } from "../lib/http/routes/index.ts";
import { statusOf } from "../lib/http/statuses.ts";
import { isBeside } from "./beside.ts";
import { logError } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** What a request asks for. */
export type Place = Pick<Call, "method" | "path">;

/**
 * Wraps a function that answers requests. Gives each answer a new `X-Request-Id`, logs unexpected errors with that id, and
 * counts the answer if there are metrics. Ignores an id that a client sends: the client could write any text into the log.
 */
export function createObserver(
  basePath: string,
  metrics: Metrics | null,
): <Asked extends Place>(respond: (call: Asked) => Promise<Answer>) => (call: Asked) => Promise<Answer> {
  const server = randomBytes(4).toString("hex");
  let answered = 0;
  const patterns = new Map(routes.map((route) => [route, basePath + route.path]));
  // The pattern of the request's route, or `none`.
  const routeOf = ({ method, path }: Place): string => {
    if (isBeside(path)) return path;
    if (!isBelow(path, basePath) || !isValidlyEncoded(path)) return "none";
    const match = matchRoute(method, withoutBase(path, basePath));
    // There is a pattern for each route.
    return match && "route" in match ? patterns.get(match.route)! : "none";
  };
  return (respond) => async (call) => {
    const since = metrics ? performance.now() : 0;
    const answer = await respond(call);
    const { status, headers, body, thrown } = answer;
    const requestId = `${server}-${(++answered).toString(36)}`;
    if (status === statusOf("internal")) logError(thrown, { method: call.method, route: routeOf(call), requestId });
    metrics?.count(call.method, routeOf(call), answer, (performance.now() - since) / 1_000);
    return { status, headers: headers.concat("X-Request-Id", requestId), body, thrown };
  };
}
