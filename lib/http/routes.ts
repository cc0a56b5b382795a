import { IttyRouter } from "itty-router";
import { deleteContact, getContact, updateContact, upsertContact } from "../contacts.ts";
import { TrackerError } from "../errors.ts";
import { recordEvent } from "../events.ts";
import type { Scope } from "../scope.ts";
import { readIdempotencyKey, replayed, type Headers } from "./headers.ts";
import { readEvent } from "./older-event.ts";
import { created, ok } from "./statuses.ts";

export interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** In itty-router's syntax, relative to the base path. */
  path: string;
  run(request: RouteRequest): Promise<Success>;
}

export interface RouteRequest {
  scope: Scope;
  /** The path's parameter, decoded; empty where there is none. */
  identifier: string;
  /** The parsed body of a POST or PATCH. */
  body: unknown;
  header(name: string): string | null;
}

export interface Success {
  status: number;
  headers?: Headers;
  /** Answered beside `success: true`. */
  body: object;
}

/** The five. The table drives matching, `Allow` and HEAD. */
export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/contacts",
    async run({ scope, body }) {
      const { contact, created: isNew } = await upsertContact(scope, body);
      return { status: isNew ? created : ok, body: { contact } };
    },
  },
  {
    method: "GET",
    path: "/contacts/:externalId",
    async run({ scope, identifier }) {
      const contact = await getContact(scope, identifier);
      if (!contact) throw new TrackerError("contact_not_found");
      return { status: ok, body: { contact } };
    },
  },
  {
    method: "PATCH",
    path: "/contacts/:externalId",
    async run({ scope, identifier, body }) {
      return { status: ok, body: { contact: await updateContact(scope, identifier, body) } };
    },
  },
  {
    method: "DELETE",
    path: "/contacts/:identifier",
    async run({ scope, identifier }) {
      return { status: ok, body: { deleted: await deleteContact(scope, identifier) } };
    },
  },
  {
    method: "POST",
    path: "/events",
    async run({ scope, body, header }) {
      const idempotencyKey = readIdempotencyKey(header("idempotency-key"));
      const {
        event,
        completedChecklistItems,
        replayed: isReplay,
      } = await recordEvent(scope, readEvent(body), idempotencyKey);
      return { status: created, body: { event, completedChecklistItems }, headers: isReplay ? replayed : [] };
    },
  },
];

export type Match = { route: Route; identifier: string } | { allowed: string[] } | null;

// itty-router compiles the paths. Its `fetch` would parse the URL again, and answers no 405 and no HEAD.
const router = IttyRouter();
for (const { method, path } of routes) router.all(path, () => method);

/** The route of a valid path, or the methods that the path does take, or `null` for no such path. HEAD matches as GET. */
export function matchRoute(method: string, path: string): Match {
  const wanted = method === "HEAD" ? "GET" : method;
  const allowed: string[] = [];
  for (const [index, [, pattern]] of router.routes.entries()) {
    const match = pattern.exec(path);
    if (!match) continue;
    const route = routes[index]!;
    if (route.method === wanted)
      return { route, identifier: decodeURIComponent(Object.values(match.groups ?? {})[0] ?? "") };
    allowed.push(route.method, ...(route.method === "GET" ? ["HEAD"] : []));
  }
  return allowed.length > 0 ? { allowed } : null;
}
