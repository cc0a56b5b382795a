import { valueTypes } from "../../model/declarations.ts";
import { definitionKeyPattern } from "../../input/identifiers.ts";
import {
  eventKeyMaxBytes,
  externalIdMaxBytes,
  hrefMaxBytes,
  itemsPerChecklistMax,
  keepDaysDefault,
  keepDaysMax,
  keyMaxBytes,
  pageLimitMax,
  propertiesPerEventMax,
  subscribedAudiencesMax,
  subscribedKeysMax,
  textMaxBytes,
} from "../../model/limits.ts";
import { ruleSchema } from "./rule-schema.ts";
import { closed, count, list, nullable, object, reference, scalar, text, time, type Schema } from "./schema.ts";

export type DefinitionSchemaName =
  | "EventTypeInput"
  | "EventTypeDefinition"
  | "EventTypeDefinitions"
  | "EventTypeUsages"
  | "AttributeInput"
  | "AttributeDefinition"
  | "AttributeDefinitions"
  | "AudienceInput"
  | "AudienceDefinition"
  | "AudienceDefinitions"
  | "ChecklistInput"
  | "ChecklistDefinition"
  | "ChecklistDefinitions"
  | "ChecklistItem"
  | "ChecklistProgress"
  | "ChecklistProgressList"
  | "ItemCounts"
  | "Progress"
  | "Explanation"
  | "EventsKeptSince"
  | "Preview"
  | "RuleOfContact"
  | "Rule"
  | "SubscriptionInput"
  | "SubscriptionDefinition"
  | "SubscriptionDefinitions";

const key = text(keyMaxBytes, { pattern: definitionKeyPattern.source });
const eventKey = text(eventKeyMaxBytes, { minLength: 1 });
const name = text(textMaxBytes, { minLength: 1 });
const types = Object.keys(valueTypes);
const propertyTypes = types.flatMap((type) => [type, `${type}?`]);

const eventType = {
  "name?": nullable(name),
  "properties?": {
    type: "object",
    propertyNames: { maxLength: keyMaxBytes },
    additionalProperties: { enum: propertyTypes },
    maxProperties: propertiesPerEventMax,
    description: "The properties that an event has, with their types; with `?` one may be left out.",
  },
};
const attribute = { type: { enum: types }, "name?": nullable(name) };
const audience = { name, rule: reference("Rule") };
const checklist = {
  name,
  "description?": name,
  items: list(reference("ChecklistItem"), { minItems: 1, maxItems: itemsPerChecklistMax }),
};
const href = text(hrefMaxBytes, { description: "A link, relative or http(s)." });
const announce = {
  type: "boolean",
  description: "Whether contacts that a changed rule lets enter or leave cause changes.",
};
const topic = { const: true };
const subscribedKeys = list(eventKey, { minItems: 1, maxItems: subscribedKeysMax });
const on = {
  "events?": { oneOf: [topic, subscribedKeys], description: "true for all events, or the keys of some." },
  "contacts?": topic,
  "checklists?": topic,
  "audiences?": list(key, { minItems: 1, maxItems: subscribedAudiencesMax }),
};
const keepDays = {
  type: "integer",
  minimum: 1,
  maximum: keepDaysMax,
  description: `How many days a change is kept; ${keepDaysDefault} by default.`,
};
const current = {
  const: "announce",
  description: "Announces those who are in the audiences already, once for each audience. Needs audiences.",
};
const subscription = { key, on: object(on, { minProperties: 1 }), keepDays, "current?": current };
const itemProgress = object({
  itemKey: key,
  name,
  description: nullable(name),
  href: nullable(href),
  automatic: { type: "boolean" },
  completed: { type: "boolean" },
  completedAt: nullable(time),
});
const observed = [
  { type: "null" },
  object({ count, firstAt: time, lastAt: time }, closed),
  object({ value: scalar }, closed),
  reference("Progress"),
];

export const definitionSchemas: Readonly<Record<DefinitionSchemaName, Schema>> = {
  EventTypeInput: object({ "key?": eventKey, ...eventType }, closed),
  EventTypeDefinition: object({ key: eventKey, ...eventType }),
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
  AttributeInput: object({ "key?": key, ...attribute }, closed),
  AttributeDefinition: object({ key, ...attribute }),
  AttributeDefinitions: list(reference("AttributeDefinition")),
  AudienceInput: object({ "key?": key, ...audience, "announce?": announce }, closed),
  AudienceDefinition: object({ key, ...audience }),
  AudienceDefinitions: list(reference("AudienceDefinition")),
  ChecklistInput: object({ "key?": key, ...checklist }, closed),
  ChecklistDefinition: object({ key, ...checklist }),
  ChecklistDefinitions: list(reference("ChecklistDefinition")),
  ChecklistItem: object({ key, name, "description?": name, "href?": href, "when?": reference("Rule") }, closed),
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
  EventsKeptSince: {
    ...time,
    description:
      "Events are kept since this time, and the rule looks further back. ISO 8601 in UTC, with milliseconds.",
  },
  Preview: object(
    {
      rule: reference("Rule"),
      "limit?": { type: "integer", minimum: 1, maximum: pageLimitMax },
      "cursor?": { type: "string" },
      "count?": { type: "boolean", description: "Whether to count the contacts; true by default." },
    },
    closed,
  ),
  RuleOfContact: object({ rule: reference("Rule"), externalId: text(externalIdMaxBytes, { minLength: 1 }) }, closed),
  Rule: ruleSchema,
  SubscriptionInput: object(
    { "key?": key, on: object(on, { ...closed, minProperties: 1 }), "keepDays?": keepDays, "current?": current },
    closed,
  ),
  SubscriptionDefinition: object({
    ...subscription,
    startsAt: { ...time, description: "Every change of a call that began after this time is in the subscription." },
  }),
  SubscriptionDefinitions: list(
    object({
      ...subscription,
      "readyAt?": { ...nullable(time), description: "When its audiences were ready; absent without audiences." },
    }),
  ),
};
