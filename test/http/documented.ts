/** Holds calls and answers to the OpenAPI document. */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openApiDocument } from "../../lib/http/openapi/index.ts";
import type { DoorAnswer, DoorCall } from "./door.ts";

interface Operation {
  requestBody?: unknown;
  responses: Record<string, Response>;
}

interface Response {
  description: string;
  headers: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, { required?: boolean }>; responses: Record<string, Response> };
}

/** The document, its answers closed: what it does not tell of must not be answered. */
const document = closed(openApiDocument("/api/v1")) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
    pointer: `#/paths/${path.replaceAll("/", "~1").replaceAll(/[{}]/g, encodeURIComponent)}/${method}`,
    operation,
  })),
);

/** The responses of requests without an operation. */
const unrouted: Readonly<Record<number, string>> = { 404: "RouteNotFound", 405: "MethodNotAllowed" };

const ajv = new Ajv2020({ strict: false, coerceTypes: false });
addFormats.default(ajv);
ajv.addSchema(document, "document");
const validators = new Map<string, ValidateFunction>();

/** Asserts that the document tells of the answer: its status, code, headers and body; and, of what was done, the call. */
export function assertDocumented(call: DoorCall, answer: DoorAnswer, basePath = "/api/v1"): void {
  const { status, body } = answer;
  const found = operationOf(call, basePath);
  if (!found) {
    const name = unrouted[status];
    if (name) assertHeaders(answer.headers, Object.keys(document.components.responses[name]!.headers));
    const schema = name
      ? `#/components/responses/${name}/content/application~1json/schema`
      : "#/components/schemas/Refusal";
    if (body !== null) assertValid(schema, body);
    return;
  }
  const { pointer, operation } = found;
  const response = operation.responses[status];
  assert.ok(response, `${call.method} ${call.path}: ${status} is not in the document`);
  assertHeaders(answer.headers, Object.keys(response.headers));
  const content = "content/application~1json/schema";
  if (call.method !== "HEAD") assertValid(`${pointer}/responses/${status}/${content}`, body);
  if (status >= 400 && call.method !== "HEAD") {
    const { error } = body as { error: { code: string } };
    assert.ok(response.description.includes(`\`${error.code}\``), `${error.code} is not in the document`);
  }
  if (status < 300 && !hasRefusedItem(body) && call.body !== undefined && operation.requestBody) {
    const text = typeof call.body === "string" ? call.body : Buffer.from(call.body).toString();
    const sent = JSON.parse(text.replace(/^\ufeff/, "")) as Record<string, unknown>;
    const { key: _, externalId: __, ...others } = sent;
    // The document leaves out the field of a PUT's path, which its body may repeat.
    assertValid(`${pointer}/requestBody/${content}`, call.method === "PUT" ? others : sent);
  }
}

/** Of a batch, which is answered 200 also if an item is not as the document tells. */
function hasRefusedItem(body: unknown): boolean {
  const { items } = Object(body) as { items?: { status?: number }[] };
  return Array.isArray(items) && items.some(({ status = 200 }) => status >= 300);
}

function operationOf({ method, path }: DoorCall, basePath: string): (typeof operations)[number] | undefined {
  const [whole = ""] = path.replace(/^\w+:\/\/[^/?#]*/, "").split(/[?#]/);
  const below = whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : whole;
  const wanted = method === "HEAD" ? "GET" : method;
  return operations.find((operation) => operation.method === wanted && operation.pattern.test(below));
}

/** Of the connection, and of the frameworks. */
const others = [
  "content-type",
  "content-length",
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "x-powered-by",
  "vary",
];

function assertHeaders(headers: Headers, documented: string[]): void {
  for (const [name, value] of headers) {
    if (others.includes(name)) continue;
    const known = documented.find((header) => header.toLowerCase() === name);
    assert.ok(known, `the header ${name} is not in the document`);
    assertValid(`#/components/headers/${known}/schema`, /^\d+$/.test(value) ? Number(value) : value);
  }
  for (const name of documented) {
    const { required } = document.components.headers[name]!;
    assert.ok(!required || headers.has(name), `the header ${name} is missing`);
  }
}

function assertValid(pointer: string, value: unknown): void {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
  validators.set(pointer, validate);
  assert.ok(validate(value), `${pointer}\n${JSON.stringify(value).slice(0, 500)}\n${ajv.errorsText(validate.errors)}`);
}

function closed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(closed);
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  return copy["type"] === "object" ? { additionalProperties: false, ...copy } : copy;
}
