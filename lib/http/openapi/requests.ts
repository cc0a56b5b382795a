/** The schemas of requests and of their parts, made from the structs that check them. */
import { lastingStruct, whenStruct } from "../../input/checklist-rules.ts";
import { conditionStruct } from "../../input/count-rules.ts";
import * as definitions from "../../input/definition-structs.ts";
import * as events from "../../input/events.ts";
import { lengthStruct, periodOfTimeStruct, periodStruct, periodWithStartStruct } from "../../input/periods.ts";
import { ruleStruct, simpleRuleStructs } from "../../input/rules.ts";
import type { Accepted, Described } from "../../input/shapes.ts";
import * as inputs from "../../input/structs.ts";
import { itemsPerBatchMax, keepDaysDefault, keyMaxBytes, simpleRulesPerRuleMax } from "../../model/limits.ts";
import { closed, list, nullable, object, reference, type Schema } from "./schema.ts";

/** The structs that have a name in the document. */
export const structs = {
  ContactInput: inputs.newContactStruct as Described,
  ContactChanges: inputs.contactChangesStruct as Described,
  PutFields: inputs.putContactStruct as Described,
  NewEvent: events.newEventStruct as Described,
  FirstEvent: events.firstEventStruct as Described,
  OlderEvent: events.olderEventStruct as Described,
  KeyedEvent: events.keyedEventStruct as Described,
  KeyedOlderEvent: events.keyedOlderEventStruct as Described,
  ApiKeyInput: inputs.newApiKeyStruct as Described,
  EventTypeInput: definitions.eventTypeDefinitionStruct as Described,
  AttributeInput: definitions.attributeDefinitionStruct as Described,
  AudienceInput: definitions.audienceDefinitionStruct as Described,
  ChecklistInput: definitions.checklistDefinitionStruct as Described,
  ChecklistItem: definitions.checklistItemStruct as Described,
  SubscriptionInput: definitions.subscriptionDefinitionStruct as Described,
  Preview: definitions.previewStruct as Described,
  RuleOfContact: definitions.ruleOfContactStruct as Described,
  Resumption: inputs.resumeOptionsStruct as Described,
  Rule: ruleStruct as Described,
  When: whenStruct as Described,
  LastingRule: lastingStruct as Described,
  PropertyCondition: conditionStruct as Described,
  Period: periodStruct as Described,
  PeriodWithStart: periodWithStartStruct as Described,
  PeriodOfTime: periodOfTimeStruct as Described,
  Length: lengthStruct as Described,
};

export type RequestName = keyof typeof structs | "EventInput" | "ContactBatch" | "EventBatch";

/** The descriptions of fields. `Struct.field` describes the field of this struct alone. */
const descriptions: Readonly<Record<string, string>> = {
  externalId: "The caller's own identifier; the email until one is given.",
  customAttributes: "Merged key by key; null removes a key. Every key must have been defined.",
  createdAt: "When it happened; the time of the request by default.",
  properties: "Flat.",
  "EventTypeInput.properties": "The properties that an event has, with their types; with `?` one may be left out.",
  access: "Each includes the one before it; write by default.",
  expiresAt: "In the future.",
  notify: "false keeps the writes out of all subscriptions; true by default.",
  announce: "Whether contacts that a changed rule lets enter or leave cause changes.",
  events: "true for all events, or the keys of some.",
  contacts: "Only true is taken.",
  checklists: "Only true is taken.",
  keepDays: `How many days a change is kept; ${keepDaysDefault} by default.`,
  current: "Announces those who are in the audiences already, once for each audience. Needs audiences.",
  "Preview.count": "Whether to count the contacts; true by default.",
  next: "From now until that long from now.",
  ago: "Before the moment that long ago.",
  where: "Needs a period. Only events that fulfil all of them count.",
  "Resumption.from":
    "The oldest change that is kept and was not handled, or the end of the log. `now` also forgets parked contacts.",
};

/** `has_done` becomes `HasDoneRule`. */
function ruleName(kind: string): string {
  return `${kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Rule`;
}

const simpleRules = Object.entries(simpleRuleStructs).map(([kind, struct]) => [ruleName(kind), struct] as const);
const names = new Map([...Object.entries(structs), ...simpleRules].map(([name, { schema }]) => [schema, name]));

/** The schema of what a struct accepts; a reference if it has a name. */
export function schemaOf({ schema }: Described): Schema {
  const name = names.get(schema);
  return name === undefined ? inline(schema) : reference(name);
}

/** The schemas of a shape's fields, as `object` takes them. */
export function fieldsOf({ schema }: Pick<Described, "schema">): Record<string, Schema> {
  const given = Object.entries(schema.fields ?? {}).filter(([, field]) => !field.schema["not"]);
  return Object.fromEntries(
    given.map(([name, field]) => [
      field.schema.optional ? `${name}?` : name,
      described(schemaOf(field), descriptions[`${names.get(schema)}.${name}`] ?? descriptions[name]),
    ]),
  );
}

function described(schema: Schema, ...texts: (string | undefined)[]): Schema {
  const description = [...texts, schema["description"]].filter(Boolean).join(" ");
  return description ? { ...schema, description } : schema;
}

function inline(schema: Accepted): Schema {
  const { expected = "text", fields, values, items, anyOf, optional, nullable: orNull, ...others } = schema;
  const part = optional ?? orNull;
  if (part) return orNull ? nullable(schemaOf(part)) : schemaOf(part);
  if (anyOf) return { anyOf: alternativesOf(anyOf) };
  const keywords = Object.fromEntries(Object.entries(others).filter(([, limit]) => limit !== Infinity));
  if (fields) return object(fieldsOf({ schema }), { ...keywords, ...closed });
  if (items) return list(schemaOf(items), keywords);
  if (values) {
    const keys = { propertyNames: { maxLength: keyMaxBytes } };
    return { type: "object", ...keys, additionalProperties: schemaOf(values), ...keywords };
  }
  if (schema.enum?.length === 1) return { type: keywords["type"], const: schema.enum[0] };
  if (keywords["type"] !== "string" || schema.enum) return keywords;
  const bytes = "maxLength" in keywords ? `At most ${schema.maxLength} bytes of UTF-8.` : "";
  return described(keywords, expected === "text" ? "" : `${expected[0]!.toUpperCase()}${expected.slice(1)}.`, bytes);
}

/** The schemas of alternatives. A part that has no name, but parts of its own, adds those. Equal schemas are one alternative. */
function alternativesOf(parts: readonly Described[]): Schema[] {
  const all = parts.flatMap((struct) =>
    struct.schema.anyOf && !names.has(struct.schema) ? alternativesOf(struct.schema.anyOf) : [schemaOf(struct)],
  );
  return [...new Map(all.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/**
 * Requests whose path contains the field. Their body may repeat it, but no schema can say that it is the same. So the document leaves
 * it out.
 */
const fieldsOfPaths: Readonly<Record<string, string>> = {
  PutFields: "externalId",
  EventTypeInput: "key",
  AttributeInput: "key",
  AudienceInput: "key",
  ChecklistInput: "key",
  SubscriptionInput: "key",
};

function componentOf(name: string, { schema }: Described): Schema {
  const made = inline(schema);
  const field = fieldsOfPaths[name];
  if (field === undefined) return made;
  const { [field]: _, ...properties } = made["properties"] as Record<string, Schema>;
  return { ...made, properties, required: (made["required"] as string[]).filter((other) => other !== field) };
}

function batchOf(...items: Schema[]): Schema {
  return object(
    { ...fieldsOf(inputs.batchStruct), items: list({ oneOf: items }, { maxItems: itemsPerBatchMax }) },
    closed,
  );
}

const putItem = object({ by: { type: "string", const: "externalId" }, ...fieldsOf(inputs.putContactStruct) }, closed);
const rules = list(reference("Rule"), { minItems: 1, maxItems: simpleRulesPerRuleMax });
const groups = {
  AllRule: object({ all: rules }, closed),
  AnyRule: object({ any: rules }, closed),
  NotRule: object({ not: reference("Rule") }, closed),
};

function componentsOf(named: readonly (readonly [string, Described])[]): Record<string, Schema> {
  return Object.fromEntries(named.map(([name, struct]) => [name, componentOf(name, struct)]));
}

/** The schemas of requests and of their parts, by name. They refuse unknown fields. */
export const requestSchemas: Readonly<Record<RequestName, Schema>> = {
  ...(componentsOf(Object.entries(structs)) as Record<keyof typeof structs, Schema>),
  ...componentsOf(simpleRules),
  OlderEvent: { ...inline(events.olderEventStruct.schema), deprecated: true },
  KeyedOlderEvent: { ...inline(events.keyedOlderEventStruct.schema), deprecated: true },
  EventInput: { oneOf: ["NewEvent", "FirstEvent", "OlderEvent"].map(reference) },
  ContactBatch: batchOf(reference("ContactInput"), putItem),
  EventBatch: batchOf(reference("KeyedEvent"), reference("KeyedOlderEvent")),
  ...groups,
  Rule: { anyOf: [...Object.keys(groups).map(reference), ...alternativesOf(ruleStruct.schema.anyOf!)] },
};
