import assert from "node:assert/strict";
import { newEventStruct, trackOptionsStruct } from "../../lib/input/events.ts";
import { contactChangesStruct, newContactStruct } from "../../lib/input/structs.ts";
import { openApiDocument } from "../../lib/http/openapi/index.ts";
import { routes } from "../../lib/http/routes/index.ts";
import { schemas } from "../../lib/http/openapi/schemas.ts";
import { metCodes } from "../../lib/http/statuses.ts";
import { check } from "../../lib/input/shapes.ts";
import { suite } from "../support/suite.ts";
import { assertDocumented } from "./documented.ts";

const document = openApiDocument("/api/v1") as {
  servers: object[];
  paths: Record<
    string,
    Record<string, { operationId: string; parameters?: object[]; responses: Record<string, object> }>
  >;
};

const call = { method: "GET", path: "/api/v1/contacts/u_1" };
const refused = {
  status: 404,
  headers: new Headers({ "X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "99", "X-RateLimit-Reset": "60" }),
  body: { success: false, error: { code: "contact_not_found", message: "There is no such contact." } },
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

  test("has the routes of the table, each under a name of its own", () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    assert.deepEqual(operations, [
      "post /events trackEvent",
      "get /events listRecentEvents",
      "get /contacts/{identifier}/events listEvents",
      "post /contacts upsertContact",
      "get /contacts listContacts",
      "get /contacts/{identifier} getContact",
      "put /contacts/{identifier} putContact",
      "patch /contacts/{identifier} updateContact",
      "delete /contacts/{identifier} deleteContact",
      "get /contacts/{identifier}/audiences listAudiencesOfContact",
      "get /contacts/{identifier}/export exportContact",
      "post /contacts/batch upsertContacts",
      "post /events/batch trackEvents",
      "get /event-types listEventTypes",
      "put /event-types/{key} putEventType",
      "delete /event-types/{key} deleteEventType",
      "get /event-types/usage listEventTypeUsage",
      "get /attributes listAttributes",
      "put /attributes/{key} putAttribute",
      "delete /attributes/{key} deleteAttribute",
      "get /audiences listAudiences",
      "put /audiences/{key} putAudience",
      "delete /audiences/{key} deleteAudience",
      "get /checklists listChecklists",
      "put /checklists/{key} putChecklist",
      "delete /checklists/{key} deleteChecklist",
      "get /subscriptions listSubscriptions",
      "put /subscriptions/{key} putSubscription",
      "delete /subscriptions/{key} deleteSubscription",
      "get /audiences/{key}/members listMembers",
      "get /audiences/{key}/count countMembers",
      "get /audiences/{key}/explain/{identifier} explainMember",
      "post /audiences/preview previewAudience",
      "post /audiences/explain explainRule",
      "get /checklists/{key}/counts countCompletedItems",
      "get /contacts/{identifier}/checklists getProgress",
      "post /contacts/{identifier}/checklists/{checklistKey}/items/{itemKey}/complete completeItem",
      "post /contacts/{identifier}/checklists/{checklistKey}/dismiss dismissChecklist",
      "post /contacts/{identifier}/checklists/{checklistKey}/restore restoreChecklist",
      "get /subscriptions/{key}/changes listChanges",
      "get /subscriptions/{key}/changes/recent listRecentChanges",
      "get /subscriptions/{key}/backlog readBacklog",
      "get /subscriptions/{key}/parked listParked",
      "post /subscriptions/{key}/parked/{changeId}/retry retryChange",
      "post /subscriptions/{key}/parked/{changeId}/drop dropChange",
      "post /subscriptions/{key}/resume resumeSubscription",
      "get /key getOwnApiKey",
      "get /api-keys listApiKeys",
      "post /api-keys createApiKey",
      "delete /api-keys/{id} revokeApiKey",
    ]);
    assert.equal(operations.length, routes.length);
  });

  test("has every code that a request can meet, and no other", () => {
    const named = new Set(
      JSON.stringify(
        Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ responses }) => responses)),
      )
        .match(/(?<="enum":\[)[^\]]*/g)!
        .flatMap(namesIn),
    );
    assert.deepEqual([...named, "route_not_found", "method_not_allowed"].sort(), metCodes.toSorted());
  });

  test("names each kind of rule", () => {
    const { components } = document as unknown as { components: { schemas: Record<string, object> } };
    assert.deepEqual(
      Object.keys(components.schemas).filter((name) => name.endsWith("Rule") && name !== "Rule"),
      [
        "HasDoneRule",
        "HasNotDoneRule",
        "CountGreaterThanRule",
        "FirstDoneWithinRule",
        "LastDoneWithinRule",
        "FieldRule",
        "AttributeRule",
        "ChecklistCompletedRule",
      ],
    );
  });

  test("names the base path", () => {
    assert.deepEqual(document.servers, [{ url: "/api/v1" }]);
    assert.deepEqual((openApiDocument("") as typeof document).servers, [{ url: "/" }]);
  });

  for (const [name, struct, limits] of [
    ["NewContact", newContactStruct, 9],
    ["ContactChanges", contactChangesStruct, 9],
    ["NewEvent", newEventStruct, 5],
  ] as const) {
    test(`${name} asks for the fields that the code asks for, and knows no others`, () => {
      const { properties, required } = schemas[name] as { properties: object; required: string[] };
      const pathsOf = (input: object, code: string) =>
        check(input, struct as typeof newContactStruct)
          .issues.filter((issue) => issue.code === code)
          .map(({ path }) => path);
      assert.deepEqual(required, pathsOf({}, "required"));
      const known = Object.fromEntries(Object.keys(properties).map((key) => [key, 0]));
      assert.deepEqual(pathsOf({ ...known, nickname: 0 }, "unknown_field"), ["nickname"]);
    });

    test(`${name} has the limits that the code has`, () => {
      const { properties } = schemas[name] as { properties: Record<string, LimitedSchema> };
      const isTooLong = (input: object) =>
        check(input, struct as typeof newContactStruct).issues.some(({ code }) => code === "too_long");
      const found = Object.entries(properties).flatMap(([field, schema]) => limitsOf(field, schema));
      for (const { max, inputOf } of found) {
        assert.deepEqual(
          [isTooLong(inputOf(max)), isTooLong(inputOf(max + 1))],
          [false, true],
          JSON.stringify(inputOf(0)),
        );
      }
      assert.equal(found.length, limits);
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

interface LimitedSchema {
  maxLength?: number;
  maxProperties?: number;
  propertyNames?: { maxLength: number };
  additionalProperties?: { maxLength: number };
}

/** Each limit that a field states, with the input that has so much of it. */
function limitsOf(field: string, schema: LimitedSchema): { max: number; inputOf(length: number): object }[] {
  const text = (length: number): string => "a".repeat(length);
  const named = (length: number): object => Object.fromEntries(Array.from({ length }, (_, n) => [`k${n}`, 1]));
  const stated: [number | undefined, (length: number) => unknown][] = [
    [schema.maxLength, text],
    [schema.maxProperties, named],
    [schema.propertyNames?.maxLength, (length) => ({ [text(length)]: 1 })],
    [schema.additionalProperties?.maxLength, (length) => ({ key: text(length) })],
  ];
  return stated.flatMap(([max, toValue]) =>
    max === undefined ? [] : [{ max, inputOf: (length: number) => ({ [field]: toValue(length) }) }],
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

function namesIn(list: string): string[] {
  return list.split(",").map((name) => name.replaceAll('"', ""));
}
