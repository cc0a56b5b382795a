import * as structs from "../../input/definition-structs.ts";
import { eventKeyStruct } from "../../input/identifiers.ts";
import { scalarStruct } from "../../input/shapes.ts";
import { fieldsOf, schemaOf } from "./requests.ts";
import { closed, count, list, nullable, object, reference, time, type Schemas } from "./schema.ts";

/** The kinds of definitions, as names of schemas and routes have them. */
export type DefinitionKindName = "EventType" | "Attribute" | "Audience" | "Checklist" | "Subscription";

export type DefinitionSchemaName =
  | `${DefinitionKindName}Definition`
  | `${DefinitionKindName}Definitions`
  | "EventTypeUsages"
  | "ChecklistProgress"
  | "ChecklistProgressList"
  | "ItemCounts"
  | "Explanation"
  | "EventsKeptSince";

const eventKey = schemaOf(eventKeyStruct);
const { key = {}, name = {}, "href?": href = {} } = fieldsOf(structs.checklistItemStruct);
const { "announce?": _, ...audience } = fieldsOf(structs.audienceDefinitionStruct);
const { "keepDays?": keepDays = {}, ...subscription } = fieldsOf(structs.subscriptionDefinitionStruct);
const itemProgress = object({
  itemKey: key,
  name,
  description: nullable(name),
  href: nullable(href),
  automatic: { type: "boolean" },
  completed: { type: "boolean" },
  completedAt: nullable(time),
});
const observed = [{ type: "null" }, ...["ObservedEvents", "ObservedValue", "Progress"].map(reference)];

export const definitionSchemas: Schemas<DefinitionSchemaName> = {
  EventTypeDefinition: object(fieldsOf(structs.eventTypeDefinitionStruct)),
  EventTypeDefinitions: list(reference("EventTypeDefinition")),
  EventTypeUsages: list(
    object({
      key: eventKey,
      defined: { type: "boolean" },
      contacts: count,
      count,
      firstAt: nullable(time),
      lastAt: nullable(time),
    }),
  ),
  AttributeDefinition: object(fieldsOf(structs.attributeDefinitionStruct)),
  AttributeDefinitions: list(reference("AttributeDefinition")),
  AudienceDefinition: object(audience),
  AudienceDefinitions: list(reference("AudienceDefinition")),
  ChecklistDefinition: object(fieldsOf(structs.checklistDefinitionStruct)),
  ChecklistDefinitions: list(reference("ChecklistDefinition")),
  ChecklistProgress: object({
    checklistKey: key,
    name,
    description: nullable(name),
    progress: reference("Progress"),
    dismissedAt: nullable(time),
    items: list(itemProgress),
  }),
  ChecklistProgressList: list(reference("ChecklistProgress")),
  ItemCounts: list(object({ itemKey: key, name, contacts: count })),
  Progress: object({ completed: count, total: count }, closed),
  Explanation: object({
    match: { type: "boolean" },
    because: list(object({ rule: reference("Rule"), match: { type: "boolean" }, observed: { oneOf: observed } })),
    "eventsKeptSince?": reference("EventsKeptSince"),
  }),
  ObservedEvents: object({ count, firstAt: time, lastAt: time }, closed),
  ObservedValue: object({ value: schemaOf(scalarStruct) }, closed),
  EventsKeptSince: {
    ...time,
    description:
      "Events are kept since this time, and the rule or a period looks further back. ISO 8601 in UTC, with milliseconds.",
  },
  SubscriptionDefinition: object({
    ...subscription,
    keepDays,
    startsAt: { ...time, description: "Every change of a call that began after this time is in the subscription." },
  }),
  SubscriptionDefinitions: list(reference("ListedSubscription")),
  ListedSubscription: object({
    ...subscription,
    keepDays,
    "readyAt?": { ...nullable(time), description: "When its audiences were ready; absent without audiences." },
  }),
};
