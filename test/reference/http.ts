/** The reference of the HTTP API: routes, parameters, the fields of bodies, and errors. It is made from the OpenAPI document. */
import { openApiDocument } from "../../lib/http/openapi/index.ts";
import { subjectOf } from "../../lib/http/openapi/subjects.ts";
import { routes } from "../../lib/http/routes/index.ts";
import type { Route } from "../../lib/http/routes/route.ts";
import { metCodes, statusOf } from "../../lib/http/statuses.ts";
import { errorMessages, issueMessages, type ErrorCode } from "../../lib/model/errors.ts";
import { code, table } from "./markdown.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
  description?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description: string;
  schema: Schema;
}

const { tags, paths, components } = openApiDocument("") as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: { schemas: Record<string, Schema> };
};
const { schemas } = components;

export function httpReference(): string {
  return [
    "# Reference of the HTTP API",
    "[The HTTP API](README.md) explains it. Success is 200 unless the answer says otherwise, with `success: true` beside its fields. Errors of a route are those beside the errors of every request. `/openapi.json` has all of this and the fields of answers.",
    "## Routes",
    ...tags.flatMap(({ name, description }) => [
      `### ${name}`,
      description,
      table(
        ["Route", "Access", "Takes", "Answers", "Does", "Errors"],
        routes.filter(({ path }) => subjectOf(path) === name).map(routeRow),
      ),
    ]),
    "## Query parameters",
    table(["Parameter", "Type", "Meaning"], parameterRows()),
    "## Bodies",
    ...bodies().flatMap((name) => [`### ${name}`, body(schemas[name]!)]),
    "## Errors",
    `Every code of a \`TrackerError\`. The last ${others.length} are of methods, and of the routes for visitors.`,
    table(
      ["Code", "Status", "Message"],
      [...metCodes, ...others].map((one) => [code(one), String(statusOf(one)), errorMessages[one]]),
    ),
    "## Issues",
    "The `code` of an issue of `invalid_input`.",
    table(
      ["Code", "Message"],
      Object.entries(issueMessages()).map(([one, message]) => [code(one), message]),
    ),
  ].join("\n\n");
}

const others = (Object.keys(errorMessages) as ErrorCode[]).filter((one) => !metCodes.includes(one));

function routeRow(route: Route): string[] {
  const { method, path, access, query, input, fields, successes, takesIdempotencyKey, summary, refusals } = route;
  const takes = [
    ...(input ? [linkTo(input)] : []),
    ...(takesIdempotencyKey ? ["`Idempotency-Key`"] : []),
    ...Object.keys(query === "ignored" ? {} : query).map(code),
  ];
  const statuses = successes.length === 1 && successes[0] === 200 ? "" : `${successes.join(" or ")} `;
  return [
    code(`${method} ${path}`),
    access,
    takes.join(", "),
    statuses + fields.map(code).join(", "),
    summary,
    refusals.map(code).join(" "),
  ];
}

/** The parameters of queries. One with the same meaning everywhere is one row. */
function parameterRows(): string[][] {
  const rows = new Map<string, string[]>();
  for (const { parameters = [] } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const { name, in: place, required, description, schema } of parameters) {
      const meaning = [description, limitsOf(schema), required ? "Required." : ""].filter(Boolean).join(" ");
      if (place === "query") rows.set(name + meaning, [code(name), typeOf(schema), meaning]);
    }
  }
  return [...rows.values()];
}

/** The parts of rules, which the reference of the library describes. */
const ofRules = /Rule$|Period|^(?:Length|When|PropertyCondition)$/;

/** The names of the schemas of bodies and of their parts, each after the one that names it first. */
function bodies(): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || ofRules.test(name)) return;
    found.add(name);
    for (const [, part] of JSON.stringify(schemas[name]).matchAll(/schemas\/(\w+)"/g)) visit(part!);
  };
  for (const { input } of routes) if (input) visit(input);
  return [...found];
}

function body(schema: Schema): string {
  if (!schema.properties) return `${schema.description ?? ""} ${typeOf(schema)}.`.trim();
  return table(
    ["Field", "Type", "Meaning"],
    Object.entries(schema.properties).map(([name, field]) => [
      code(name + (schema.required?.includes(name) ? "" : "?")),
      typeOf(field),
      [field.description ?? "", limitsOf(field)].filter(Boolean).join(" "),
    ]),
  );
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return linkTo(schema.$ref.split("/").at(-1)!);
  if ("const" in schema) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(" or ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(typeOf).join(" or ");
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (schema.properties) return code(`{ ${Object.keys(schema.properties).join(", ")} }`);
  const words = [schema.type ?? "anything"]
    .flat()
    .map((type) => ({ string: "text", integer: "whole number" })[type] ?? type);
  const values = schema.additionalProperties ? ` of ${typeOf(schema.additionalProperties)}` : "";
  return words.join(" or ") + values;
}

function limitsOf(schema: Schema): string {
  const { minimum, maximum, minItems = 0, maxItems } = schema;
  const most = maximum ?? maxItems;
  return most === undefined ? "" : `${minimum ?? minItems} to ${most.toLocaleString("en")}.`;
}

function linkTo(name: string): string {
  return `[${name}](${ofRules.test(name) ? "../REFERENCE.md#rules" : `#${name.toLowerCase()}`})`;
}
