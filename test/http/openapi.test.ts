import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { trackOptionsStruct } from "../../lib/input/events.ts";
import { openApiDocument } from "../../lib/http/openapi/index.ts";
import * as table from "../../lib/http/routes/table.ts";
import { structs, type RequestName } from "../../lib/http/openapi/requests.ts";
import { schemas } from "../../lib/http/openapi/schemas.ts";
import { conditionStruct } from "../../lib/input/count-rules.ts";
import { definitionKeyStruct, emailStruct, eventKeyStruct, externalIdStruct } from "../../lib/input/identifiers.ts";
import { metCodes } from "../../lib/http/statuses.ts";
import { check, type Input } from "../../lib/input/shapes.ts";
import { suite } from "../support/suite.ts";
import { assertDocumented } from "./documented.ts";

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: object[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface Content {
  description: string;
  content: { "application/json": { example?: object; schema: { $ref: string } } };
  links?: object;
}

const document = openApiDocument("/api/v1") as {
  info: { version: string; description: string };
  servers: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, Content>;
    links: Record<string, { operationId: string; parameters: object }>;
  };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, ...operation })),
);

const call = { method: "GET", path: "/api/v1/contacts/u_1" };
const refused = {
  status: 404,
  headers: new Headers({ "X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "99", "X-RateLimit-Reset": "60" }),
  body: { success: false, error: { code: "contact_not_found", message: "There is no such contact." } },
};

/** The names of the operations, by the tags of their subjects. Clients are generated with methods of these names. */
const namesByTag: Readonly<Record<string, string>> = {
  events: "trackEvent listRecentEvents countActivity listEvents trackEvents",
  contacts: `upsertContact listContacts getContact putContact updateContact deleteContact exportContact
    upsertContacts`,
  audiences: "listAudiencesOfContact listMembers countMembers explainMember previewAudience explainRule",
  definitions: `listEventTypes putEventType deleteEventType listEventTypeUsage listAttributes putAttribute
    deleteAttribute listAudiences putAudience deleteAudience listChecklists putChecklist
    deleteChecklist listSubscriptions putSubscription deleteSubscription`,
  checklists: "countCompletedItems getProgress completeItem dismissChecklist restoreChecklist",
  changes: "listChanges listRecentChanges",
  consumers: "readBacklog listParked retryChange dropChange resumeSubscription",
  webhooks: "getWebhook listSecrets createSecret deleteSecret enableWebhook sendTest",
  "api-keys": "getOwnApiKey listApiKeys createApiKey revokeApiKey",
};

suite("the OpenAPI document", (test) => {
  test("says of each operation what its parameter may be", () => {
    const methods = Object.values(document.paths["/contacts/{identifier}"]!);
    assert.deepEqual(
      methods.map(({ parameters }) => (parameters as { name: string; description: string }[])[0]?.description),
      [
        "The contact's externalId, which is its email until one is given.",
        "The contact's externalId, which is its email until one is given.",
        "The contact's externalId, which is its email until one is given.",
        "The contact's externalId or its email.",
      ],
    );
  });

  test("has the routes of the table, each under a name of its own and the tag of its subject", () => {
    for (const { name } of document.tags) {
      const named = operations.filter(({ tags }) => tags.join() === name).map(({ operationId }) => operationId);
      assert.deepEqual(named.sort(), namesByTag[name]?.split(/\s+/).sort(), name);
    }
    assert.equal(operations.length, Object.keys(table).length);
    assert.equal(Object.values(namesByTag).join(" ").split(/\s+/).length, operations.length);
  });

  test("keeps the name of each operation of the last release", () => {
    const before = readFileSync(join(import.meta.dirname, "../../../test/openapi/before.json"), "utf8");
    for (const [path, methods] of Object.entries((JSON.parse(before) as typeof document).paths))
      for (const [method, { operationId }] of Object.entries(methods))
        assert.equal(document.paths[path]?.[method]?.operationId, operationId);
  });

  test("has every code that a request can meet, and no other", () => {
    const responses = [document.components, ...operations].flatMap((each) => Object.values(each.responses));
    const named = new Set(responses.flatMap(({ description }) => description.match(/(?<=`)\w+(?=`:)/g) ?? []));
    assert.deepEqual([...named].sort(), metCodes.toSorted());
  });

  test("names each answer after its operation, and each object", () => {
    for (const { operationId, responses } of operations) {
      const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Answer`;
      for (const [status, { content }] of Object.entries(responses)) {
        const component = status < "300" ? name : `Refusal${status}`;
        assert.equal(content["application/json"].schema.$ref, `#/components/schemas/${component}`);
      }
    }
    const { schemas: components } = document.components;
    for (const component of Object.values(components)) assert.deepEqual(unnamedIn(component), []);
    assert.deepEqual(unnamedIn({ items: { type: "array", items: { properties: {} } } }), [{ properties: {} }]);
    // In Go, `NewContact` is the function that makes a `Contact`.
    assert.ok(!Object.keys(components).some((name) => `New${name}` in components));
  });

  test("links a contact that may be new to what takes its externalId", () => {
    const withLinks = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { links }]) => (links ? [`${operationId} ${status}`] : [])),
    );
    assert.deepEqual(withLinks, ["upsertContact 200", "upsertContact 201", "putContact 200", "putContact 201"]);
    for (const { operationId, parameters } of Object.values(document.components.links)) {
      const { path } = operations.find((operation) => operation.operationId === operationId)!;
      assert.deepEqual(path.match(/(?<=\{)\w+/g), Object.keys(parameters));
    }
  });

  test("has the version of the package, and names the parts that no operation refers to", () => {
    const { info, components } = document;
    const manifest = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
    assert.equal(info.version, (JSON.parse(manifest) as { version: string }).version);
    for (const name of [...Object.keys(components.responses), "X-Request-Id"]) {
      assert.ok(info.description.includes(`${name}\``), name);
    }
  });

  test("names each kind of rule", () => {
    assert.deepEqual(
      Object.keys(document.components.schemas).filter((name) => name.endsWith("Rule") && name !== "Rule"),
      [
        "LastingRule",
        "HasDoneRule",
        "HasNotDoneRule",
        "CountGreaterThanRule",
        "FirstDoneWithinRule",
        "LastDoneWithinRule",
        "FieldRule",
        "AttributeRule",
        "ChecklistCompletedRule",
        "AllRule",
        "AnyRule",
        "NotRule",
      ],
    );
  });

  test("names the base path", () => {
    assert.deepEqual(document.servers, [{ url: "/api/v1" }]);
    assert.deepEqual((openApiDocument("") as typeof document).servers, [{ url: "/" }]);
  });

  for (const [name, struct] of Object.entries(structs)) {
    const schema: ObjectSchema = schemas[name as RequestName];
    if (!schema.properties) continue;
    const pathsOf = (input: object, code: string): string[] =>
      check(input, struct as Input<object>)
        .issues.filter((issue) => issue.code === code)
        .map(({ path }) => path);

    test(`${name} asks for the fields that the code asks for, and knows no others`, () => {
      const ofPath = name === "PutFields" ? "externalId" : name.endsWith("Input") ? "key" : "";
      const required = pathsOf({}, "required").filter((field) => field !== ofPath);
      assert.deepEqual(schema.required?.toSorted(), required.sort());
      const known = Object.fromEntries(Object.keys(schema.properties!).map((key) => [key, 0]));
      assert.deepEqual(pathsOf({ ...known, nickname: 0 }, "unknown_field"), ["nickname"]);
    });

    test(`${name} has the limits that the code has`, () => {
      const fields = Object.entries(schema.properties!);
      for (const { max, code, inputOf } of fields.flatMap(([field, limited]) => limitsOf(field, limited))) {
        const isRefused = [max, max + 1].map((size) => pathsOf(inputOf(size), code).length > 0);
        assert.deepEqual(isRefused, [false, true], JSON.stringify(inputOf(0)));
      }
    });
  }

  test("has a valid example of each body, and of each answer to one and each about contacts and events", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { tags, requestBody, responses }] of Object.entries(methods)) {
        if (!requestBody && !tags.some((tag) => ["contacts", "events"].includes(tag))) continue;
        const example = { method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, "u_1") };
        const body = requestBody && JSON.stringify(exampleOf(requestBody));
        for (const [status, response] of Object.entries(responses).filter(([name]) => Number(name) < 300)) {
          const answer = { status: Number(status), headers: new Headers(), body: exampleOf(response) };
          assertDocumented(body === undefined ? example : { ...example, body }, answer);
        }
      }
    }
  });

  const characters = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code));
  const places = (before: string, after: string): string[] =>
    [...characters.filter((one) => one < "\x80"), "é", "例", "\u{10428}"].flatMap((one) =>
      [one, `${one}b`, `a${one}b`, `b${one}`].map((text) => `${before}${text}${after}`),
    );
  for (const [what, struct, texts] of [
    ["emails", emailStruct, [...places("", "@example.com"), ...places("ada@", ""), ...places("ada@example.", "")]],
    [
      "externalIds",
      externalIdStruct,
      [...characters, "\ufeff", "\u2003"].flatMap((one) => [one, `${one}b`, `b${one}`]),
    ],
    ["event keys", eventKeyStruct, [...characters, "\ufeff"].flatMap((one) => [one, ` ${one}`, `a${one}b`])],
    ["keys of definitions", definitionKeyStruct, places("", "")],
    ["names of properties", conditionStruct.schema.anyOf![0]!.schema.fields!["property"]!, places("", "")],
  ] as const) {
    test(`takes the ${what} that the code takes, by a pattern without \\p`, () => {
      const pattern = String(struct.schema["pattern"]);
      assert.ok(!pattern.includes("\\p"));
      for (const text of texts) {
        const isTaken = check(text, struct as Input<string>).issues.length === 0;
        assert.equal(new RegExp(pattern, "u").test(text), isTaken, JSON.stringify(text));
      }
    });
  }

  test("takes the Idempotency-Keys that the code takes, by their length", () => {
    const parameters = document.paths["/events"]!["post"]!.parameters as [{ schema: { pattern: string } }];
    const pattern = new RegExp(parameters[0].schema.pattern);
    for (const key of ["k".repeat(255), "k".repeat(256)]) {
      const isTaken = check({ idempotencyKey: key }, trackOptionsStruct).issues.length === 0;
      assert.deepEqual([pattern.test(key), pattern.test(`"${key}"`)], [isTaken, isTaken]);
    }
  });
});

suite("what holds answers to the OpenAPI document", (test) => {
  test("lets a documented one pass, with or without the base path", () => {
    assertDocumented(call, refused);
    assertDocumented({ ...call, path: "/contacts/u_1?x=1" }, refused);
    assertDocumented({ ...call, path: "/tracking/contacts/u_1" }, refused, "/tracking");
  });

  for (const [what, answer] of [
    ["a status that the route has not", { ...refused, status: 409 }],
    ["a code that the status has not", { ...refused, body: refusal("email_taken") }],
    ["a code that the route has not", { ...refused, body: refusal("api_key_not_found") }],
    ["a code that is none", { ...refused, body: refusal("gone") }],
    ["a field too many", { ...refused, body: { ...refused.body, hint: 1 } }],
    ["a field too few", { ...refused, body: { success: false } }],
    ["an unknown header", { ...refused, headers: new Headers({ "X-Request-Id": "x" }) }],
    ["a header that is no number", { ...refused, headers: new Headers({ "X-RateLimit-Limit": "many" }) }],
    ["no Retry-After", { ...refused, status: 429, body: refusal("rate_limited") }],
  ] as const) {
    test(`finds ${what}`, () => assert.throws(() => assertDocumented(call, answer), assert.AssertionError));
  }

  test("finds a request that was done but is not documented", () => {
    const created = { status: 200, headers: new Headers(), body: { success: true, contact } };
    const post = { method: "POST", path: "/api/v1/contacts" };
    assertDocumented({ ...post, body: '{"email":"ada@example.com"}' }, created);
    assert.throws(() => assertDocumented({ ...post, body: '{"email":"ada@example.com","nickname":1}' }, created));
  });
});

/** The objects with fields within the items and fields of a schema. */
function unnamedIn({ items, properties = {} }: ObjectSchema): object[] {
  const parts = [...(items ? [items] : []), ...Object.values(properties)];
  return parts.flatMap((part) => ("properties" in part ? [part] : unnamedIn(part)));
}

function exampleOf({ content }: Content): object {
  const { example } = content["application/json"];
  assert.ok(example);
  return example;
}

interface ObjectSchema {
  items?: object;
  properties?: Record<string, LimitedSchema>;
  required?: string[];
}

interface LimitedSchema {
  pattern?: string;
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
  maxProperties?: number;
  propertyNames?: { maxLength: number };
  additionalProperties?: { maxLength: number };
}

/** Each limit that a field states, with the input that has so much of it, and the code for too much. */
function limitsOf(
  field: string,
  schema: LimitedSchema,
): { max: number; code: string; inputOf(size: number): object }[] {
  const text = (length: number): string => "a".repeat(length);
  const named = (length: number): object => Object.fromEntries(Array.from({ length }, (_, n) => [`k${n}`, 1]));
  const stated: [number | undefined, (size: number) => unknown, code?: string][] = [
    [schema.maximum, (size) => size, "out_of_range"],
    [schema.maxLength, text],
    [schema.maxItems, (size) => Array(size).fill("a")],
    [schema.maxProperties, named],
    [schema.propertyNames?.maxLength, (size) => ({ [text(size)]: 1 })],
    [schema.additionalProperties?.maxLength, (size) => ({ key: text(size) })],
  ];
  return stated.flatMap(([max, toValue, code = "too_long"]) =>
    max === undefined ? [] : [{ max, code, inputOf: (size: number) => ({ [field]: toValue(size) }) }],
  );
}

const contact = {
  id: "0199d3a0-0000-7000-8000-000000000000",
  email: "ada@example.com",
  externalId: "ada@example.com",
  name: null,
  phone: null,
  avatarUrl: null,
  role: null,
  plan: null,
  signedUpAt: null,
  customAttributes: {},
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-20T10:00:00.000Z",
};

function refusal(code: string): object {
  return { success: false, error: { code, message: "There is no such contact." } };
}
