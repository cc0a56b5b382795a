import { IttyRouter } from "itty-router";
import { deleteContact, getContact, updateContact, upsertContact } from "../contacts.ts";
import { TrackerError, type ErrorCode } from "../errors.ts";
import { recordEvent } from "../events.ts";
import type { Scope } from "../scope.ts";
import { readIdempotencyKey, replayed, type Headers } from "./headers.ts";
import { readEvent } from "./older-event.ts";
import type { SchemaName } from "./openapi-schemas.ts";
import { created, ok } from "./statuses.ts";

export interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** In itty-router's syntax, relative to the base path. */
  path: string;
  /** This and what follows is what the OpenAPI document says of the route. */
  name: string;
  summary: string;
  /** What the body of a POST or PATCH must be. */
  input?: SchemaName;
  successes: readonly number[];
  /** Answered beside `success: true`. */
  output: Readonly<Record<string, SchemaName>>;
  /** Beside those that come of having a path parameter, a body, an idempotency key, or a door at all. */
  refusals: readonly ErrorCode[];
  takesIdempotencyKey?: true;
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

/** The five. The table drives matching, `Allow`, HEAD and the OpenAPI document. */
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
      } = await recordEvent(scope, readEvent(body), idempotencyKey);
      return { status: created, body: { event, completedChecklistItems }, headers: isReplay ? replayed : [] };
    },
  },
];

export function takesBody({ method }: Pick<Route, "method">): boolean {
  return method === "POST" || method === "PATCH";
}

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
