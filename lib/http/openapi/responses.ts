import { errorMessages, type ErrorCode } from "../../model/errors.ts";
import type { RouteName } from "../routes/lines.ts";
import type { Route } from "../routes/route.ts";
import { created, statusOf } from "../statuses.ts";
import { examples } from "./examples.ts";
import { capitalized, object, reference, type Schema } from "./schema.ts";

/** The name and the schema of a route's success answer: `ListContactsAnswer` for `listContacts`. */
export function answerSchema({ name, output }: Route): [name: string, schema: Schema] {
  const properties = Object.entries(output).map(([field, schema]) => [field, reference(schema)] as const);
  return [answerName(name), object({ success: { const: true }, ...Object.fromEntries(properties) })];
}

function answerName(route: RouteName): string {
  return `${capitalized(route)}Answer`;
}

export function successResponses({ name, successes, output, takesIdempotencyKey }: Route): Record<string, object> {
  const answer = examples[name]?.answer;
  const content = json(reference(answerName(name)), answer && { success: true, ...answer });
  const names: HeaderName[] = [...limitHeaders];
  if (takesIdempotencyKey) names.push("Idempotent-Replayed");
  if ("secret" in output) names.push("Cache-Control");
  const links = successes.includes(created) && "contact" in output && { links: references("links", contactLinks) };
  const response = { headers: references("headers", names), content, ...links };
  return Object.fromEntries(
    successes.map((status) => [status, { description: status === created ? "Created." : "Done.", ...response }]),
  );
}

/** One response per error status. Its description has the error codes that this route can answer with it. */
export function refusals(route: Route): Record<string, object> {
  const byStatus: Record<number, ErrorCode[]> = {};
  for (const code of codesOf(route)) (byStatus[statusOf(code)] ??= []).push(code);
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => [status, refusal(codes)]));
}

function refusal(codes: readonly ErrorCode[]): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorMessages[code]}`).join(" "),
    headers: references("headers", [...limitHeaders, ...codes.flatMap((code) => headersOf[code] ?? [])]),
    content: json(reference(`Refusal${statusOf(codes[0]!)}`)),
  };
}

function codesOf(route: Route): ErrorCode[] {
  const hasParameter = route.path.includes(":");
  return [
    ...(route.input ? (["malformed_json", "body_too_large", "unsupported_media_type"] as const) : []),
    "invalid_input",
    ...(hasParameter ? (["invalid_path"] as const) : []),
    ...(route.takesIdempotencyKey ? (["invalid_header", "idempotency_key_reused"] as const) : []),
    "missing_api_key",
    "invalid_api_key",
    ...(route.access === "read" ? [] : (["forbidden"] as const)),
    ...route.refusals,
    ...(route.method === "GET" ? [] : (["workspace_deleted"] as const)),
    "rate_limited",
    "internal",
    "definition_unknown",
    "storage_unavailable",
  ];
}

export function json(schema: Schema, example?: object): object {
  return { "application/json": { schema, ...(example && { example }) } };
}

const limitHeaders = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

const headersOf: Partial<Record<ErrorCode, HeaderName[]>> = {
  missing_api_key: ["WWW-Authenticate"],
  invalid_api_key: ["WWW-Authenticate"],
  method_not_allowed: ["Allow"],
  rate_limited: ["Retry-After"],
  storage_unavailable: ["Retry-After"],
};

const headers = {
  "X-RateLimit-Limit": { schema: { type: "integer", minimum: 1 } },
  "X-RateLimit-Remaining": { schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Reset": { description: "Unix seconds.", schema: { type: "integer" } },
  "Retry-After": { description: "Seconds.", required: true, schema: { type: "integer", minimum: 1 } },
  "WWW-Authenticate": { required: true, schema: { const: "Bearer" } },
  "Idempotent-Replayed": { description: "Only on an answer given again.", schema: { const: "true" } },
  "Cache-Control": { required: true, schema: { const: "no-store" } },
  Allow: { description: "The methods of the path.", required: true, schema: { type: "string" } },
  "X-Request-Id": { description: "The server's id of the answer, as in its log.", schema: { type: "string" } },
};

type HeaderName = keyof typeof headers;

/** The operations that a created contact links to. */
const contactLinks = ["listEvents", "listAudiencesOfContact", "getProgress", "deleteContact"] as const;
const ofContact = { identifier: "$response.body#/contact/externalId" };

/** The components that responses refer to. `info` names those that no response of an operation refers to. */
export const responseComponents: Readonly<Record<"headers" | "links" | "responses", object>> = {
  headers,
  links: Object.fromEntries(contactLinks.map((operationId) => [operationId, { operationId, parameters: ofContact }])),
  responses: { RouteNotFound: refusal(["route_not_found"]), MethodNotAllowed: refusal(["method_not_allowed"]) },
};

function references(kind: "headers" | "links", names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]));
}
