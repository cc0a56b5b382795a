import { activityRequestStruct, eventPageRequestStruct } from "../../input/events.ts";
import { definitionKeyStruct, eventKeyStruct, externalIdStruct } from "../../input/identifiers.ts";
import { changePageRequestStruct, contactListStruct, recentChangesStruct } from "../../input/pages.ts";
import { periodShapes } from "../../input/periods.ts";
import * as limits from "../../model/limits.ts";
import { version } from "../../model/version.ts";
import { routes } from "../routes/index.ts";
import type { Route } from "../routes/route.ts";
import { examples } from "./examples.ts";
import { withNamedShapes } from "./named-shapes.ts";
import { fieldsOf, schemaOf } from "./requests.ts";
import { answerSchema, json, refusals, responseComponents, successResponses } from "./responses.ts";
import { reference, type Schema } from "./schema.ts";
import { refusalSchemas, schemas } from "./schemas.ts";
import { subjectOf, tags } from "./subjects.ts";

/** Builds the OpenAPI 3.1 document of the API below the base path, from the same tables that answer the requests. */
export function openApiDocument(basePath: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(parameterPattern, (_, name: string) => `{${documentedName(name)}}`);
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: "3.1.0",
    info: { title: "whodid", version, description, contact: { name: "The whodid authors" }, license },
    servers: [{ url: basePath || "/" }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer" } },
      schemas: withNamedShapes({ ...schemas, ...Object.fromEntries(routes.map(answerSchema)), ...refusalSchemas }),
      ...responseComponents,
    },
  };
}

const parameterPattern = /:(\w+)/g;

/** OpenAPI 3.1 ("Paths Object") treats routes as one path if only the names of their parameters differ. */
function documentedName(parameter: string): string {
  return parameter === "externalId" ? "identifier" : parameter;
}

const license = { name: "MIT", identifier: "MIT" };

const description = [
  "Contacts and the events they caused.",
  `Bodies are JSON of at most ${limits.maxBodyBytesDefault} bytes unless the server says otherwise, those of a batch of ${limits.batchBodyTimes} times as many; HEAD answers as GET does.`,
  `A key has ${limits.rateLimitDefault.requests} requests in ${limits.rateLimitDefault.perSeconds} s unless the server says otherwise.`,
  "Another path than those of this document is answered as `components.responses.RouteNotFound`, and another method as `MethodNotAllowed`.",
  "The server gives each answer of the API the header `components.headers.X-Request-Id`. An app that mounts the API may leave it out.",
].join(" ");

function operation(route: Route): object {
  const { name, path, summary, query, input, takesIdempotencyKey } = route;
  const parameters = [
    ...Array.from(path.matchAll(parameterPattern), ([, parameter = ""]) => ({
      name: documentedName(parameter),
      in: "path",
      required: true,
      ...pathParameters[parameter],
      // The key of an event type is an event key, which may have any characters but control characters.
      ...(path.startsWith("/event-types") && { schema: schemaOf(eventKeyStruct) }),
    })),
    ...Object.keys(query === "ignored" ? {} : query).map((parameter) => {
      const known = "days" in Object(query) ? `period.${parameter}` : parameter;
      return {
        name: parameter,
        in: "query",
        ...(known in queryFields && { required: true }),
        description: queryDescriptions[known],
        schema: queryFields[known] ?? queryFields[`${known}?`],
      };
    }),
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

const externalId = schemaOf(externalIdStruct);
const key = schemaOf(definitionKeyStruct);
const anyText = { type: "string", minLength: 1 };

/** The schema and description of each parameter, by its name in the table of routes. */
const pathParameters: Readonly<Record<string, { schema: Schema; description: string }>> = {
  externalId: {
    schema: externalId,
    description: "The contact's externalId, which is its email until one is given.",
  },
  identifier: { schema: externalId, description: "The contact's externalId or its email." },
  key: { schema: key, description: "The key of the definition." },
  checklistKey: { schema: key, description: "The key of the checklist." },
  itemKey: { schema: key, description: "The key of the item." },
  changeId: { schema: anyText, description: "The id of the change that failed." },
  id: { schema: anyText, description: "The id of the API key." },
};

/** Keyed by the parameter's name in the table of routes; those of a period have a prefix. */
const queryDescriptions: Readonly<Record<string, string>> = {
  limit: `The largest number of items; ${limits.pageLimitDefault} by default.`,
  cursor: "The `nextCursor` of the page before.",
  query: "A beginning of email, externalId or name; then of a word of the name, or of the email behind the @.",
  order: "By creation; oldest by default.",
  count: "Whether to answer the number of all contacts as `total`.",
  after: "The cursor of a change or page; the first change that is kept by default.",
  wait: "The seconds to wait for a change, at least one unless it is 0; 0 by default. A full page does not wait.",
  audienceKey: "Only the entries into this audience, and the exits from it.",
  eventKey: "Only events of this key.",
  from: "A time in the oldest period, which is counted as a whole.",
  to: "The newest period has the moment before this time, and is counted as a whole.",
  by: "Calendar days, or weeks that begin on Monday.",
  timeZone: "The zone of the calendar; UTC by default.",
  total: "Whether to count all periods together too, each contact once.",
  "period.days": "Since so many days ago, of 24 hours. One of `days`, `hours` and `minutes`, or `from` and `to`.",
  "period.hours": "Since so many hours ago.",
  "period.minutes": "Since so many minutes ago.",
  "period.from": "From this time on.",
  "period.to": "Before this time.",
};

const queryFields = Object.assign(
  {},
  ...[
    contactListStruct,
    changePageRequestStruct,
    recentChangesStruct,
    eventPageRequestStruct,
    activityRequestStruct,
  ].map(fieldsOf),
  ...periodShapes.flatMap((shape) =>
    Object.entries(fieldsOf(shape)).map(([field, schema]) => ({ [`period.${field.replace("?", "")}?`]: schema })),
  ),
) as Record<string, Schema>;

const idempotencyKeyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same request again, with the same key, is answered as it was first; bare or in double quotes.",
  schema: {
    type: "string",
    pattern: `^("[!-~]{1,${limits.idempotencyKeyMaxCharacters}}"|[!-~]{1,${limits.idempotencyKeyMaxCharacters}})$`,
  },
};
