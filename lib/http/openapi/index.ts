import { eventPageRequestStruct } from "../../input/events.ts";
import { changePageRequestStruct, contactListStruct, recentChangesStruct } from "../../input/pages.ts";
import { errorMessages, type ErrorCode } from "../../model/errors.ts";
import {
  batchBodyTimes,
  idempotencyKeyMaxCharacters,
  maxBodyBytesDefault,
  pageLimitDefault,
  rateLimitDefault,
} from "../../model/limits.ts";
import { routes } from "../routes/index.ts";
import type { Route } from "../routes/route.ts";
import { examples } from "./examples.ts";
import { object, reference, type Schema } from "./schema.ts";
import { fieldsOf } from "./requests.ts";
import { refusalSchemas, schemas, unrouted } from "./schemas.ts";
import { subjectOf, tags } from "./subjects.ts";
import { created, statusOf } from "../statuses.ts";

/** Builds the OpenAPI 3.1 document of the API below the base path, from the same tables that answer the requests. */
export function openApiDocument(basePath: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(parameterPattern, (_, name: string) => `{${documentedName(name)}}`);
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: "3.1.0",
    info: { title: "whodid", version: "1", description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: basePath || "/" }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer" } },
      schemas: { ...schemas, ...refusalSchemas },
      headers: headerObjects,
    },
  };
}

const parameterPattern = /:(\w+)/g;

/** OpenAPI 3.1 ("Paths Object") treats routes as one path if only the names of their parameters differ. */
function documentedName(parameter: string): string {
  return parameter === "externalId" ? "identifier" : parameter;
}

const description = [
  "Contacts and the events they caused.",
  `Bodies are JSON of at most ${maxBodyBytesDefault} bytes unless the server says otherwise, those of a batch of ${batchBodyTimes} times as many; HEAD answers as GET does.`,
  `A key has ${rateLimitDefault.requests} requests in ${rateLimitDefault.perSeconds} s unless the server says otherwise.`,
  `What is under no path or method of this document is answered ${unrouted.map((code) => `${statusOf(code)} \`${code}\``).join(" or ")}.`,
].join(" ");

function operation(route: Route): object {
  const { name, path, summary, query, input, takesIdempotencyKey } = route;
  const parameters = [
    ...Array.from(path.matchAll(parameterPattern), ([, parameter = ""]) => ({
      name: documentedName(parameter),
      in: "path",
      required: true,
      description: parameterDescriptions[parameter],
      schema: { type: "string", minLength: 1 },
    })),
    ...Object.keys(query === "ignored" ? {} : query).map((parameter) => ({
      name: parameter,
      in: "query",
      description: queryDescriptions[parameter],
      schema: queryFields[`${parameter}?`],
    })),
    ...(takesIdempotencyKey ? [idempotencyKeyParameter] : []),
  ];
  return {
    operationId: name,
    tags: [subjectOf(path)],
    summary,
    description: `Needs an API key with the access \`${route.access}\`.`,
    ...(parameters.length > 0 && { parameters }),
    ...(input && { requestBody: { required: true, content: json(reference(input), examples[name]?.body) } }),
    responses: { ...successResponses(route), ...refusals(route) },
  };
}

/** Keyed by the parameter's name in the table of routes. */
const parameterDescriptions: Readonly<Record<string, string>> = {
  externalId: "The contact's externalId, which is its email until one is given.",
  identifier: "The contact's externalId or its email.",
  key: "The key of the definition.",
  checklistKey: "The key of the checklist.",
  itemKey: "The key of the item.",
  changeId: "The id of the change that failed.",
  id: "The id of the API key.",
};

/** Keyed by the parameter's name in the table of routes. */
const queryDescriptions: Readonly<Record<string, string>> = {
  limit: `The largest number of items; ${pageLimitDefault} by default.`,
  cursor: "The `nextCursor` of the page before.",
  query: "What the email, the externalId or the name begins with, in any case of A to Z.",
  order: "By creation; oldest by default.",
  count: "Whether to answer the number of all contacts as `total`.",
  after: "The cursor of a change or page; the first change that is kept by default.",
  wait: "The seconds to wait for a change, at least one unless it is 0; 0 by default. A full page does not wait.",
  audienceKey: "Only the entries into this audience, and the exits from it.",
  eventKey: "Only events of this key.",
};

const queryFields = Object.assign(
  {},
  ...[contactListStruct, changePageRequestStruct, recentChangesStruct, eventPageRequestStruct].map(fieldsOf),
) as Record<string, Schema>;

const idempotencyKeyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same request again, with the same key, is answered as it was first; bare or in double quotes.",
  schema: {
    type: "string",
    pattern: `^("[!-~]{1,${idempotencyKeyMaxCharacters}}"|[!-~]{1,${idempotencyKeyMaxCharacters}})$`,
  },
};

function successResponses({ name, successes, output, takesIdempotencyKey }: Route): Record<string, object> {
  const properties = Object.entries(output).map(([field, schema]) => [field, reference(schema)] as const);
  const schema = object({ success: { const: true }, ...Object.fromEntries(properties) });
  const answer = examples[name]?.answer;
  const content = json(schema, answer && { success: true, ...answer });
  const names: HeaderName[] = [...limitHeaders, ...(takesIdempotencyKey ? (["Idempotent-Replayed"] as const) : [])];
  return Object.fromEntries(
    successes.map((status) => [
      status,
      { description: status === created ? "Created." : "Done.", headers: headers(names), content },
    ]),
  );
}

/** One response per error status. Its description has the error codes that this route can answer with it. */
function refusals(route: Route): Record<string, object> {
  const byStatus: Record<number, ErrorCode[]> = {};
  for (const code of codesOf(route)) (byStatus[statusOf(code)] ??= []).push(code);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorMessages[code]}`).join(" "),
        headers: headers([...limitHeaders, ...codes.flatMap((code) => headersOf[code] ?? [])]),
        content: json(reference(`Refusal${status}`)),
      },
    ]),
  );
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
    "storage_unavailable",
  ];
}

function json(schema: Schema, example?: object): object {
  return { "application/json": { schema, ...(example && { example }) } };
}

const limitHeaders = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

type HeaderName = (typeof limitHeaders)[number] | "Retry-After" | "WWW-Authenticate" | "Idempotent-Replayed";

const headersOf: Partial<Record<ErrorCode, HeaderName[]>> = {
  missing_api_key: ["WWW-Authenticate"],
  invalid_api_key: ["WWW-Authenticate"],
  rate_limited: ["Retry-After"],
  storage_unavailable: ["Retry-After"],
};

const headerObjects: Record<HeaderName, object> = {
  "X-RateLimit-Limit": { schema: { type: "integer", minimum: 1 } },
  "X-RateLimit-Remaining": { schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Reset": { description: "Unix seconds.", schema: { type: "integer" } },
  "Retry-After": { description: "Seconds.", required: true, schema: { type: "integer", minimum: 1 } },
  "WWW-Authenticate": { required: true, schema: { const: "Bearer" } },
  "Idempotent-Replayed": { description: "Only on an answer given again.", schema: { const: "true" } },
};

function headers(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
