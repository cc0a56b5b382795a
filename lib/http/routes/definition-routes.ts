import { defineAttribute, listAttributes } from "../../definitions/attributes.ts";
import { defineAudience, listAudiences } from "../../audiences.ts";
import { defineChecklist, listChecklists } from "../../checklists/index.ts";
import { deleteDefinition } from "../../definitions/index.ts";
import { issue, type ErrorCode } from "../../model/errors.ts";
import { defineEventType, eventTypeUsage, listEventTypes } from "../../definitions/event-types.ts";
import * as structs from "../../input/definition-structs.ts";
import { check, refuse } from "../../input/shapes.ts";
import type { Scope } from "../../scope.ts";
import type { DefinitionKindName } from "../openapi/definition-schemas.ts";
import { defineSubscription, listSubscriptions } from "../../definitions/subscriptions.ts";
import type { ApiKeyOwner, DefinitionRow } from "../../storage/rows.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import { route, type Route } from "./route.ts";

interface DefinitionKind<Definition> {
  kind: DefinitionRow["kind"];
  /** A part of the names of routes (`defineAudience`) and of schemas (`AudienceInput`). */
  name: DefinitionKindName;
  struct: Parameters<typeof check<Definition>>[1];
  list(scope: Scope, apiKey: ApiKeyOwner | null): Promise<object[]>;
  define(scope: Scope, definition: unknown): Promise<object>;
  defineRefusals?: readonly ErrorCode[];
  deleteRefusals?: readonly ErrorCode[];
}

function routesOf<Definition>(of: DefinitionKind<Definition>): Route[] {
  const noun = of.kind === "event" ? "event type" : of.kind;
  return [
    route(`list${of.name}s`, {
      summary: `List the ${noun}s, oldest first.`,
      output: `${of.name}Definitions`,
      call: ({ scope, apiKey }) => of.list(scope, apiKey),
    }),
    route(`put${of.name}`, {
      summary: `Define the ${noun} of a key, or change it.`,
      input: `${of.name}Input`,
      output: `${of.name}Definition`,
      refusals: of.defineRefusals ?? [],
      call: ({ scope, parameters: { key }, body }) => of.define(scope, withKey(body, key, of.struct)),
    }),
    route(`delete${of.name}`, {
      summary: `Delete the ${noun} of a key.`,
      refusals: ["definition_not_found", ...(of.deleteRefusals ?? [])],
      call: ({ scope, parameters: { key } }) => deleteDefinition(scope, of.kind, key),
    }),
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
    name: "EventType",
    struct: structs.eventTypeDefinitionStruct,
    list: listEventTypes,
    define: defineEventType,
  }),
  route("listEventTypeUsage", {
    query: pageQuery,
    summary: "List how often each event key was done, defined or not, in order of the keys' bytes.",
    output: pageOutput("EventTypeUsages"),
    call: ({ scope, query }) => eventTypeUsage(scope, query),
  }),
  ...routesOf({
    kind: "attribute",
    name: "Attribute",
    struct: structs.attributeDefinitionStruct,
    list: listAttributes,
    define: defineAttribute,
    defineRefusals: ["attribute_conflict"],
    deleteRefusals: ["definition_in_use"],
  }),
  ...routesOf({
    kind: "audience",
    name: "Audience",
    struct: structs.audienceDefinitionStruct,
    list: listAudiences,
    define: defineAudience,
    deleteRefusals: ["definition_in_use"],
  }),
  ...routesOf({
    kind: "checklist",
    name: "Checklist",
    struct: structs.checklistDefinitionStruct,
    list: listChecklists,
    define: defineChecklist,
    deleteRefusals: ["definition_in_use"],
  }),
  ...routesOf({
    kind: "subscription",
    name: "Subscription",
    struct: structs.subscriptionDefinitionStruct,
    list: listSubscriptions,
    define: defineSubscription,
    defineRefusals: ["subscription_conflict"],
  }),
];
