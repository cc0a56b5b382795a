/**
 * `npm run long -- openapi`: what two linters find in the OpenAPI document, and what clients of the last release notice. Ends with
 * `N passed, N failed`.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "@readme/openapi-parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { openApiDocument } from "../../lib/http/openapi/index.ts";
import { root } from "../support/installs.ts";
import { suite } from "../support/suite.ts";
import { noticesOf, type Json } from "./notices.ts";

const document = openApiDocument("/api/v1") as { paths: Record<string, Record<string, object>> };

/** The rules of Redocly's strictest set that the document breaks, each with the place. */
async function problemsOf(openApi: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: JSON.stringify(openApi), absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
}

/** No operation refers to these components, because they are the same for all. `info` names them. */
const unused = ["headers/X-Request-Id", "responses/RouteNotFound", "responses/MethodNotAllowed"];

suite("the OpenAPI document and linters", (test) => {
  test("is a valid one, of version 3.1", async () => {
    const copy = JSON.parse(JSON.stringify(document)) as Parameters<typeof validate>[0];
    assert.deepEqual(await validate(copy), { valid: true, warnings: [], specification: "OpenAPI" });
    assert.equal((document as unknown as { openapi: string }).openapi, "3.1.0");
  });

  test("passes a strict linter, but for components that no operation refers to", async () => {
    const problems = unused.map((component) => `no-unused-components #/components/${component}`);
    assert.deepEqual((await problemsOf(document)).sort(), problems.sort());
  });

  test("has no two paths that differ by the name of their parameter alone, as the linter would find", async () => {
    const { "/contacts/{identifier}": methods, ...paths } = document.paths;
    const { delete: deletion, ...others } = methods!;
    const apart = { ...paths, "/contacts/{externalId}": others, "/contacts/{identifier}": { delete: deletion } };
    const problems = await problemsOf({ ...document, paths: apart });
    assert.ok(problems.some((problem) => problem.startsWith("no-identical-paths")));
  });

  test("is found invalid when it is", async () => {
    const copy = JSON.parse(JSON.stringify({ ...document, paths: { contacts: 1 } })) as Parameters<typeof validate>[0];
    assert.equal((await validate(copy)).valid, false);
  });
});

/** What clients of the version before notice, and the words of CHANGELOG that tell it. */
const told: readonly (readonly [RegExp, string])[] = [
  [/^component New(Contact|ApiKey) went$/, "`NewContact` and `NewApiKey` are `ContactInput` and `ApiKeyInput`"],
  [/export_too_large$|export: 422 is new$/, "Over HTTP an export of a contact over 32 MiB is `export_too_large`: 422"],
  [
    /(secret_not_found|secrets_taken|subscription_conflict|definition_unknown)$|subscriptions\/\{key\}: 409 is new$/,
    "New error codes: `subscription_conflict`, `secrets_taken`, `secret_not_found` and `definition_unknown`",
  ],
  [/^AttributeDefinition answered\.type: date$/, "Attributes have a new type, `date`"],
  [/email: pattern$/, "no pattern has `\\p`"],
  [/\.(replayed|on\.\w+): another value$/, "`const: true` beside `success` is `type: boolean`"],
  [/(signedUpAt|createdAt|expiresAt|period\.from|period\.to): format$/, "`format: date-time`"],
  [/([kK]ey|event|audiences\[\]): (pattern|minLength)$|on\.events: array$/, "patterns of keys"],
  [/(externalId|identifier|name|description|avatarUrl|href|property): pattern$/, "of identifiers, names and URLs"],
  [/(key|Key|identifier): maxLength$|(cursor|after): (maxLength|pattern)$/, "lengths of keys and cursors"],
  [/^(\w+Input|PutFields)\.(key|externalId) is unknown$/, "The body of a PUT is described without the key of its path"],
  [/count: format$/, "numbers that can be stored"],
  [/^\w+Rule as LastingRule|^Rule as When/, "the rules of items"],
  [/\.period\b|\.value\.\w+\b|count: maximum$/, "periods up to a million units"],
  [
    /Rule( answered)?\.(where\[\]\.)?(operator|value)|^Rule\.\w+: maxItems$/,
    "the operators with the values that each takes",
  ],
];

suite("the OpenAPI document since the last release", (test) => {
  const before = JSON.parse(readFileSync(join(root, "test/openapi/before.json"), "utf8")) as Json;
  const notices = noticesOf(before, JSON.parse(JSON.stringify(document)) as Json);

  test("CHANGELOG tells what clients notice", () => {
    assert.deepEqual(
      notices.filter((notice) => !told.some(([pattern]) => pattern.test(notice))),
      [],
    );
    assert.deepEqual(
      told.filter(([pattern]) => !notices.some((notice) => pattern.test(notice))),
      [],
    );
    const changelog = readFileSync(join(root, ".github/CHANGELOG.md"), "utf8").replaceAll(/\s+/g, " ");
    for (const [, words] of told) assert.ok(changelog.includes(words), words);
  });

  const small = (sent: object, answered: object, more: object = {}): Json => ({
    components: { schemas: { Rule: { anyOf: [{ $ref: "#/components/schemas/Rule" }, sent] } } },
    paths: { "/a": { post: { requestBody: json(sent), responses: { 200: json(answered) }, ...more } } },
  });
  const text = { type: "string", maxLength: 5 };
  const object = { type: "object", properties: { x: text }, required: ["x"], additionalProperties: false };
  const was = small(object, object, { parameters: [{ name: "q", schema: text }] });
  const q = { parameters: [{ name: "q", schema: text }] };
  for (const [what, is, expected] of [
    ["the same document", was, []],
    ["an operation that went", { ...was, paths: {} }, ["POST /a went"]],
    ["a component that went", { ...was, components: {} }, ["component Rule went"]],
    ["a parameter that went", small(object, object), ["POST /a: parameter q went"]],
    ["a field that went", small({ ...object, properties: {}, required: [] }, object, q), ["POST /a body.x is unknown"]],
    ["an answer without a field", small(object, { ...object, required: [] }, q), ["POST /a 200.x may lack"]],
    ["an optional field that went", small(object, { type: "object" }, q), ["POST /a 200.x may lack"]],
    ["a shorter text", small(withX({ ...text, maxLength: 4 }), object, q), ["POST /a body.x: maxLength"]],
    [
      "another type",
      small(object, withX({ type: ["string", "null"] }), q),
      ["POST /a 200.x: maxLength", "POST /a 200.x: null"],
    ],
    ["fewer values", small(withX({ ...text, enum: ["a"] }), object, q), ["POST /a body.x: another value"]],
    [
      "a list of other items",
      small(object, withX({ type: "array", items: text }), q),
      ["POST /a 200.x: array", "POST /a 200.x: maxLength"],
    ],
    [
      "another status",
      small(object, object, { ...q, responses: { 201: json(object) } }),
      ["POST /a: 200 went", "POST /a: 201 is new"],
    ],
  ] as const) {
    test(`what a client notices of ${what}`, () => assert.deepEqual(noticesOf(was, is as Json), expected));
  }

  function withX(x: object): object {
    return { ...object, properties: { x } };
  }

  function json(schema: object): object {
    return { content: { "application/json": { schema } } };
  }
});
