import { defineAttribute, listAttributes } from "../../definitions/attributes.ts";
import { defineAudience, listAudiences } from "../../audiences.ts";
import { defineChecklist, listChecklists } from "../../checklists/index.ts";
import { deleteDefinition } from "../../definitions/index.ts";
import { issue, type ErrorCode } from "../../model/errors.ts";
import { defineEventType, eventTypeUsage, listEventTypes } from "../../definitions/event-types.ts";
import {
  attributeDefinitionStruct,
  audienceDefinitionStruct,
  checklistDefinitionStruct,
  eventTypeDefinitionStruct,
  subscriptionDefinitionStruct,
} from "../../input/definition-structs.ts";
import { check, refuse } from "../../input/shapes.ts";
import type { Scope } from "../../scope.ts";
import { defineSubscription, listSubscriptions } from "../../definitions/subscriptions.ts";
import type { DefinitionRow } from "../../storage/rows.ts";
import type { SchemaName } from "../openapi/schemas.ts";
import { ok } from "../statuses.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import type { Route } from "./route.ts";
import { at } from "./table.ts";

interface DefinitionKind<Definition> {
  kind: DefinitionRow["kind"];
  /** The field of an answer that holds one definition. */
  field: string;
  /** Ends the names of the routes. */
  name: "EventType" | "Attribute" | "Audience" | "Checklist" | "Subscription";
  noun: string;
  plural: string;
  schema: SchemaName;
  input: SchemaName;
  lists: SchemaName;
  struct: Parameters<typeof check<Definition>>[1];
  list(scope: Scope): Promise<object[]>;
  define(scope: Scope, definition: unknown): Promise<object>;
  defineRefusals?: readonly ErrorCode[];
  deleteRefusals?: readonly ErrorCode[];
}

function routesOf<Definition>(of: DefinitionKind<Definition>): Route[] {
  return [
    {
      ...at(`list${of.name}s`),
      query: {},
      summary: `List the ${of.plural}, oldest first.`,
      successes: [ok],
      output: { items: of.lists },
      refusals: [],
      run: async ({ scope }) => ({ status: ok, body: { items: await of.list(scope) } }),
    },
    {
      ...at(`put${of.name}`),
      query: {},
      summary: `Define the ${of.noun} of a key, or change it.`,
      input: of.input,
      successes: [ok],
      output: { [of.field]: of.schema },
      refusals: of.defineRefusals ?? [],
      run: async ({ scope, parameters, body }) => ({
        status: ok,
        body: { [of.field]: await of.define(scope, withKey(body, parameters["key"], of.struct)) },
      }),
    },
    {
      ...at(`delete${of.name}`),
      query: {},
      summary: `Delete the ${of.noun} of a key.`,
      successes: [ok],
      output: {},
      refusals: ["definition_not_found", ...(of.deleteRefusals ?? [])],
      async run({ scope, parameters }) {
        await deleteDefinition(scope, of.kind, parameters["key"]);
        return { status: ok, body: {} };
      },
    },
  ];
}

/** The definition with the key of the path. Throws `invalid_input` with all problems if the body has another. */
function withKey<T>(body: unknown, key: string | undefined, struct: DefinitionKind<T>["struct"]): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const definition = { ...body, key };
  if (Object.hasOwn(body, "key") && (body as { key: unknown }).key !== key) {
    const anotherKey = issue("key", "invalid_format", "Must be the key of the path, or left out.");
    refuse([anotherKey, ...check(definition, struct).issues]);
  }
  return definition;
}

export const definitionRoutes: readonly Route[] = [
  ...routesOf({
    kind: "event",
    field: "eventType",
    name: "EventType",
    noun: "event type",
    plural: "event types",
    schema: "EventTypeDefinition",
    input: "EventTypeInput",
    lists: "EventTypeDefinitions",
    struct: eventTypeDefinitionStruct,
    list: listEventTypes,
    define: defineEventType,
  }),
  {
    ...at("listEventTypeUsage"),
    query: pageQuery,
    summary: "List how often each event key was done, defined or not, in order of the keys' bytes.",
    successes: [ok],
    output: pageOutput("EventTypeUsages"),
    refusals: [],
    run: async ({ scope, query }) => ({ status: ok, body: await eventTypeUsage(scope, query) }),
  },
  ...routesOf({
    kind: "attribute",
    field: "attribute",
    name: "Attribute",
    noun: "attribute",
    plural: "attributes",
    schema: "AttributeDefinition",
    input: "AttributeInput",
    lists: "AttributeDefinitions",
    struct: attributeDefinitionStruct,
    list: listAttributes,
    define: defineAttribute,
    defineRefusals: ["attribute_conflict"],
    deleteRefusals: ["definition_in_use"],
  }),
  ...routesOf({
    kind: "audience",
    field: "audience",
    name: "Audience",
    noun: "audience",
    plural: "audiences",
    schema: "AudienceDefinition",
    input: "AudienceInput",
    lists: "AudienceDefinitions",
    struct: audienceDefinitionStruct,
    list: listAudiences,
    define: defineAudience,
    deleteRefusals: ["definition_in_use"],
  }),
  ...routesOf({
    kind: "checklist",
    field: "checklist",
    name: "Checklist",
    noun: "checklist",
    plural: "checklists",
    schema: "ChecklistDefinition",
    input: "ChecklistInput",
    lists: "ChecklistDefinitions",
    struct: checklistDefinitionStruct,
    list: listChecklists,
    define: defineChecklist,
    deleteRefusals: ["definition_in_use"],
  }),
  ...routesOf({
    kind: "subscription",
    field: "subscription",
    name: "Subscription",
    noun: "subscription",
    plural: "subscriptions",
    schema: "SubscriptionDefinition",
    input: "SubscriptionInput",
    lists: "SubscriptionDefinitions",
    struct: subscriptionDefinitionStruct,
    list: listSubscriptions,
    define: defineSubscription,
  }),
];
