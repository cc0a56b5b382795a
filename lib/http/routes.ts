import { IttyRouter } from "itty-router";
import { deleteContact, getContact, updateContact, upsertContact } from "../contacts.ts";
import { TrackerError, type ErrorCode } from "../errors.ts";
import { recordEvent } from "../events.ts";
import type { Scope } from "../scope.ts";
import { readIdempotencyKey, replayed, type Headers } from "./headers.ts";
import { readEvent } from "./event-shapes.ts";
import type { SchemaName } from "./openapi-schemas.ts";
import { created, ok } from "./statuses.ts";

export interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to the base path, in itty-router's syntax. */
  path: string;
  /** This field and those below describe the route in the OpenAPI document. */
  name: string;
  summary: string;
  /** The schema of the request body; only for POST and PATCH. */
  input?: SchemaName;
  successes: readonly number[];
  /** The fields of a success answer, beside `success: true`. */
  output: Readonly<Record<string, SchemaName>>;
  /** The codes of this route alone; those for its path parameter, body or idempotency key are added to them. */
  refusals: readonly ErrorCode[];
  takesIdempotencyKey?: true;
  run(request: RouteRequest): Promise<Success>;
}

export interface RouteRequest {
  scope: Scope;
  /** The decoded path parameter; empty for a route without one. */
  identifier: string;
  /** The parsed body of a POST or PATCH. */
  body: unknown;
  header(name: string): string | null;
}

export interface Success {
  status: number;
  headers?: Headers;
  /** The fields of the answer, beside `success: true`. */
  body: object;
}

/** All routes. Matching, the `Allow` header, HEAD and the OpenAPI document use this table. */
export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/contacts",
    name: "upsertContact",
    summary: "Create the contact of an email, or update it.",
    input: "NewContact",
    successes: [created, ok],
    output: { contact: "Contact" },
    refusals: ["external_id_taken"],
    async run({ scope, body }) {
      const { contact, created: isNew } = await upsertContact(scope, body);
      return { status: isNew ? created : ok, body: { contact } };
    },
  },
  {
    method: "GET",
    path: "/contacts/:externalId",
    name: "getContact",
    summary: "Get a contact.",
    successes: [ok],
    output: { contact: "Contact" },
    refusals: ["contact_not_found"],
    async run({ scope, identifier }) {
      const contact = await getContact(scope, identifier);
      if (!contact) throw new TrackerError("contact_not_found");
      return { status: ok, body: { contact } };
    },
  },
  {
    method: "PATCH",
    path: "/contacts/:externalId",
    name: "updateContact",
    summary: "Change a contact. What is left out stays; null clears.",
    input: "ContactChanges",
    successes: [ok],
    output: { contact: "Contact" },
    refusals: ["contact_not_found", "email_taken", "external_id_taken"],
    async run({ scope, identifier, body }) {
      return { status: ok, body: { contact: await updateContact(scope, identifier, body) } };
    },
  },
  {
    method: "DELETE",
    path: "/contacts/:identifier",
    name: "deleteContact",
    summary: "Delete a contact, by externalId or email, with everything kept about it.",
    successes: [ok],
    output: { deleted: "Deletion" },
    refusals: ["contact_not_found", "ambiguous_identifier"],
    async run({ scope, identifier }) {
      return { status: ok, body: { deleted: await deleteContact(scope, identifier) } };
    },
  },
  {
    method: "POST",
    path: "/events",
    name: "trackEvent",
    summary: "Record an event of a contact.",
    input: "EventInput",
    successes: [created],
    output: { event: "TrackedEvent", completedChecklistItems: "CompletedChecklistItems" },
    refusals: ["contact_not_found"],
    takesIdempotencyKey: true,
    async run({ scope, body, header }) {
      const idempotencyKey = readIdempotencyKey(header("idempotency-key"));
      const {
        event,
        completedChecklistItems,
        replayed: isReplay,
      } = await recordEvent(scope, readEvent(body, scope.now()), idempotencyKey);
      return { status: created, body: { event, completedChecklistItems }, headers: isReplay ? replayed : [] };
    },
  },
];

export function takesBody({ method }: Pick<Route, "method">): boolean {
  return method === "POST" || method === "PATCH";
}

/** The route of a request, and its decoded path parameter. */
export type RouteMatch = Pick<RouteRequest, "identifier"> & { route: Route };

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
    if (route.method === wanted)
      return { route, identifier: decodeURIComponent(Object.values(match.groups ?? {})[0] ?? "") };
    allowed.push(route.method, ...(route.method === "GET" ? ["HEAD"] : []));
  }
  return allowed.length > 0 ? { allowed } : null;
}
