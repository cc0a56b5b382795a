import { Struct } from "superstruct";
import { definitionKeyStruct, eventKeyStruct, externalIdStruct } from "./identifiers.ts";
import { failuresOf, leaf, listOf, nullable, optional, shape, valuesByName } from "./shapes.ts";
import type {
  AttributeDefinition,
  AttributeType,
  AudienceDefinition,
  ChecklistDefinition,
  ChecklistItem,
  Definitions,
  PageRequest,
  Rule,
  SubscribedTopics,
  SubscriptionDefinition,
} from "../model/types.ts";
import {
  hrefMaxBytes,
  itemsPerChecklistMax,
  keepDaysMax,
  propertiesPerEventMax,
  subscribedAudiencesMax,
  subscribedKeysMax,
  textMaxBytes,
} from "../model/limits.ts";
import { flag, label, link, wholeNumber } from "./fields.ts";
import { pageFields } from "./pages.ts";
import { whenStruct } from "./checklist-rules.ts";
import { ruleStruct } from "./rules.ts";
import { valueTypes, type EventTypeDefinition, type PropertyType } from "../model/declarations.ts";

const attributeTypeStruct = leaf<AttributeType>("text, number or boolean", (value) => {
  if (typeof value !== "string") return "wrong_type";
  return Object.hasOwn(valueTypes, value) ? null : "invalid_format";
});

export const attributeDefinitionStruct: Struct<AttributeDefinition, null> = shape<AttributeDefinition>(
  "AttributeDefinition",
  {
    key: definitionKeyStruct,
    type: attributeTypeStruct,
    name: optional(nullable(label(textMaxBytes))),
  },
);

export const eventTypeDefinitionStruct: Struct<EventTypeDefinition, null> = shape<EventTypeDefinition>(
  "EventTypeDefinition",
  {
    key: eventKeyStruct,
    name: optional(nullable(label(textMaxBytes))),
    properties: optional(
      valuesByName<PropertyType>(
        "properties",
        "text, number or boolean, with ? behind it or without",
        (value) => {
          if (value === null) return "not_allowed_null";
          if (typeof value !== "string") return "wrong_type";
          return Object.hasOwn(valueTypes, value.replace(/\?$/, "")) ? null : "invalid_format";
        },
        propertiesPerEventMax,
      ),
    ),
  },
);

export const ruleOnlyStruct: Struct<{ rule: Rule }, null> = shape<{ rule: Rule }>("Audience", { rule: ruleStruct });

export const ruleOfContactStruct: Struct<{ rule: Rule; externalId: string }, null> = shape<{
  rule: Rule;
  externalId: string;
}>("RuleOfContact", { rule: ruleStruct, externalId: externalIdStruct });

type PreviewRequest = PageRequest & { rule: Rule; count?: boolean | undefined };

export const previewStruct: Struct<PreviewRequest, null> = shape<PreviewRequest>("Preview", {
  ...pageFields,
  rule: ruleStruct,
  count: optional(flag),
});

export const audienceDefinitionStruct: Struct<AudienceDefinition, null> = shape<AudienceDefinition>(
  "AudienceDefinition",
  {
    key: definitionKeyStruct,
    name: label(textMaxBytes),
    rule: ruleStruct,
    announce: optional(flag),
  },
);

export const itemOfContactStruct: Struct<{ externalId: string; checklistKey: string; itemKey: string }, null> = shape<{
  externalId: string;
  checklistKey: string;
  itemKey: string;
}>("ItemOfContact", {
  externalId: externalIdStruct,
  checklistKey: definitionKeyStruct,
  itemKey: definitionKeyStruct,
});

export const checklistOfContactStruct: Struct<{ externalId: string; checklistKey: string }, null> = shape<{
  externalId: string;
  checklistKey: string;
}>("ChecklistOfContact", { externalId: externalIdStruct, checklistKey: definitionKeyStruct });

const checklistItemStruct = shape<ChecklistItem>("ChecklistItem", {
  key: definitionKeyStruct,
  name: label(textMaxBytes),
  description: optional(label(textMaxBytes)),
  href: optional(link(hrefMaxBytes)),
  when: optional(whenStruct),
});

const itemListStruct = listOf("items", checklistItemStruct, { countMin: 1, countMax: itemsPerChecklistMax });
const itemsStruct = new Struct<readonly ChecklistItem[], null>({
  type: "items",
  schema: null,
  coercer: itemListStruct.coercer,
  validator(value, context) {
    const failures = failuresOf(itemListStruct, value, context);
    if (!Array.isArray(value)) return failures;
    const keys = (value as Partial<ChecklistItem>[]).map((item) => item?.key);
    const repeated = keys.flatMap((key, index) =>
      key !== undefined && keys.indexOf(key) < index ? [{ path: [String(index), "key"], message: "repeated_key" }] : [],
    );
    return [...failures, ...repeated];
  },
});

export const checklistDefinitionStruct: Struct<ChecklistDefinition, null> = shape<ChecklistDefinition>(
  "ChecklistDefinition",
  {
    key: definitionKeyStruct,
    name: label(textMaxBytes),
    description: optional(label(textMaxBytes)),
    items: itemsStruct,
  },
);

const yes = leaf<true>("true", (value) => (value === true ? null : "wrong_type"));
const yesOrKeys = leaf<true>("true or a list of event keys", (value) => (value === true ? null : "wrong_type"));
const eventKeyListStruct = listOf("events", eventKeyStruct, { countMin: 1, countMax: subscribedKeysMax });
const subscribedEventsStruct = new Struct<SubscribedTopics["events"], null>({
  type: "events",
  schema: null,
  coercer: eventKeyListStruct.coercer,
  validator: (value, context) =>
    Array.isArray(value)
      ? failuresOf(eventKeyListStruct, value, context)
      : value === undefined
        ? []
        : failuresOf(yesOrKeys, value, context),
});

const audienceKeyListStruct = listOf("audiences", definitionKeyStruct, {
  countMin: 1,
  countMax: subscribedAudiencesMax,
});
const audienceKeysStruct = new Struct<readonly string[], null>({
  type: "audiences",
  schema: null,
  coercer: audienceKeyListStruct.coercer,
  validator: (value, context) => failuresOf(audienceKeyListStruct, value, context),
});
const topicsShape = shape<SubscribedTopics>("SubscribedTopics", {
  events: subscribedEventsStruct,
  contacts: optional(yes),
  checklists: optional(yes),
  audiences: optional(audienceKeysStruct),
});
const topicsStruct = new Struct<SubscribedTopics, null>({
  type: "SubscribedTopics",
  schema: null,
  coercer: topicsShape.coercer,
  validator(value, context) {
    const failures = failuresOf(topicsShape, value, context);
    const isEmpty = failures.length === 0 && Object.keys(value as object).length === 0;
    return isEmpty ? [{ path: [], message: "required" }] : failures;
  },
});

const announce = leaf<"announce">("announce", (value) => (value === "announce" ? null : "invalid_format"));
const subscriptionShape = shape<SubscriptionDefinition>("SubscriptionDefinition", {
  key: definitionKeyStruct,
  on: topicsStruct,
  keepDays: optional(wholeNumber(1, keepDaysMax)),
  current: optional(announce),
});
export const subscriptionDefinitionStruct: Struct<SubscriptionDefinition, null> = new Struct({
  type: "SubscriptionDefinition",
  schema: null,
  coercer: subscriptionShape.coercer,
  validator(value, context) {
    const failures = failuresOf(subscriptionShape, value, context);
    if (failures.length > 0) return failures;
    const { current, on } = value as SubscriptionDefinition;
    return current && !on.audiences ? [{ path: ["on", "audiences"], message: "required" }] : [];
  },
});

// Callers may give read-only lists; the struct makes lists of its own.
type Lists<Given> = {
  [Kind in keyof Given]: Given[Kind] extends readonly (infer Definition)[] | undefined
    ? Definition[] | undefined
    : Given[Kind];
};
type DefinitionLists = Lists<Definitions>;

export const definitionsStruct: Struct<DefinitionLists, null> = shape<DefinitionLists>("Definitions", {
  events: optional(listOf("events", eventTypeDefinitionStruct)),
  attributes: optional(listOf("attributes", attributeDefinitionStruct)),
  audiences: optional(listOf("audiences", audienceDefinitionStruct)),
  checklists: optional(listOf("checklists", checklistDefinitionStruct)),
  subscriptions: optional(listOf("subscriptions", subscriptionDefinitionStruct)),
});

export const removeUnlistedOptionsStruct: Struct<{ dryRun?: boolean | undefined }, null> = shape<{
  dryRun?: boolean | undefined;
}>("PruneOptions", {
  dryRun: optional(flag),
});
