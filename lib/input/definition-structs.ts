import { definitionKeyStruct, eventKeyStruct, externalIdStruct } from "./identifiers.ts";
import type { Failure } from "./problems.ts";
import {
  choice,
  leaf,
  listOf,
  nullable,
  optional,
  refined,
  shape,
  structOf,
  valuesByName,
  type Input,
} from "./shapes.ts";
import type * as model from "../model/types.ts";
import * as limits from "../model/limits.ts";
import { among, flag, label, link, oneOf, url, wholeNumber } from "./fields.ts";
import { pageFields } from "./pages.ts";
import { whenStruct } from "./checklist-rules.ts";
import { ruleStruct } from "./rules.ts";
import { valueTypes, type EventTypeDefinition, type PropertyType, type ScalarType } from "../model/declarations.ts";

const types = Object.keys(valueTypes) as ScalarType[];

export const attributeDefinitionStruct: Input<model.AttributeDefinition> = shape({
  key: definitionKeyStruct,
  type: oneOf<model.AttributeType>([...types, "date"]),
  name: optional(nullable(label(limits.textMaxBytes))),
});

const propertyTypeStruct = among<PropertyType>(
  "text, number or boolean, with ? behind it or without",
  types.flatMap((type) => [type, `${type}?`] as const),
);

export const eventTypeDefinitionStruct: Input<EventTypeDefinition> = shape({
  key: eventKeyStruct,
  name: optional(nullable(label(limits.textMaxBytes))),
  properties: optional(valuesByName(propertyTypeStruct, limits.propertiesPerEventMax)),
});

export const ruleOnlyStruct: Input<{ rule: model.Rule }> = shape({ rule: ruleStruct });

export const ruleOfContactStruct: Input<{ rule: model.Rule; externalId: string }> = shape({
  rule: ruleStruct,
  externalId: externalIdStruct,
});

type PreviewRequest = model.PageRequest & { rule: model.Rule; count?: boolean | undefined };

export const previewStruct: Input<PreviewRequest> = shape({
  ...pageFields,
  rule: ruleStruct,
  count: optional(flag),
});

export const audienceDefinitionStruct: Input<model.AudienceDefinition> = shape({
  key: definitionKeyStruct,
  name: label(limits.textMaxBytes),
  rule: ruleStruct,
  announce: optional(flag),
});

export const itemOfContactStruct: Input<{ externalId: string; checklistKey: string; itemKey: string }> = shape({
  externalId: externalIdStruct,
  checklistKey: definitionKeyStruct,
  itemKey: definitionKeyStruct,
});

export const checklistOfContactStruct: Input<{ externalId: string; checklistKey: string }> = shape({
  externalId: externalIdStruct,
  checklistKey: definitionKeyStruct,
});

export const checklistItemStruct: Input<model.ChecklistItem> = shape({
  key: definitionKeyStruct,
  name: label(limits.textMaxBytes),
  description: optional(label(limits.textMaxBytes)),
  href: optional(link(limits.hrefMaxBytes)),
  when: optional(whenStruct),
});

const itemListStruct = listOf(checklistItemStruct, { countMin: 1, countMax: limits.itemsPerChecklistMax });
const itemsStruct = structOf<readonly model.ChecklistItem[]>(
  itemListStruct.schema,
  itemListStruct.coercer,
  (value, context) => {
    const failures = itemListStruct.find(value, context);
    if (!Array.isArray(value)) return failures;
    const keys = (value as Partial<model.ChecklistItem>[]).map((item) => item?.key);
    const repeated = keys.flatMap((key, index): Failure[] =>
      key !== undefined && keys.indexOf(key) < index ? [{ path: [String(index), "key"], message: "repeated_key" }] : [],
    );
    return [...failures, ...repeated];
  },
);

export const checklistDefinitionStruct: Input<model.ChecklistDefinition> = shape({
  key: definitionKeyStruct,
  name: label(limits.textMaxBytes),
  description: optional(label(limits.textMaxBytes)),
  items: itemsStruct,
});

const yes = (expected: string): Input<true> =>
  leaf<true>(expected, (value) => (value === true ? null : "wrong_type"), { type: "boolean", not: { const: false } });
const yesStruct = yes("true");
const allEventsStruct = yes("true or a list of event keys");
const eventKeyListStruct = listOf(eventKeyStruct, { countMin: 1, countMax: limits.subscribedKeysMax });
const subscribedEventsStruct = choice<true | readonly string[]>(
  [allEventsStruct, eventKeyListStruct],
  (value) => (Array.isArray(value) ? eventKeyListStruct : allEventsStruct),
  eventKeyListStruct.coercer,
);

const announceStruct = leaf<"announce">("announce", (value) => (value === "announce" ? null : "invalid_format"), {
  type: "string",
  enum: ["announce"],
});

const topicsStruct = refined(
  shape<model.SubscribedTopics>({
    events: optional(subscribedEventsStruct),
    contacts: optional(yesStruct),
    checklists: optional(yesStruct),
    audiences: optional(listOf(definitionKeyStruct, { countMin: 1, countMax: limits.subscribedAudiencesMax })),
  }),
  (on) => (Object.keys(on).length === 0 ? [{ path: [], message: "required" }] : []),
  { minProperties: 1 },
);

const fewDays = `Must be at least ${limits.webhookKeepDaysMin} with a url.`;

export const subscriptionDefinitionStruct: Input<model.SubscriptionDefinition> = refined(
  shape<model.SubscriptionDefinition>({
    key: definitionKeyStruct,
    on: topicsStruct,
    keepDays: optional(wholeNumber(1, limits.keepDaysMax)),
    current: optional(announceStruct),
    url: optional(url(limits.hrefMaxBytes)),
    concurrency: optional(wholeNumber(1, limits.slotCount)),
  }),
  ({ current, on, url: target, keepDays = limits.keepDaysDefault, concurrency }) => [
    ...(current && !on.audiences ? [{ path: ["on", "audiences"], message: "required" as const }] : []),
    ...(target !== undefined && keepDays < limits.webhookKeepDaysMin
      ? [{ path: ["keepDays"], message: "out_of_range" as const, explanation: fewDays }]
      : []),
    ...(target === undefined && concurrency !== undefined ? [{ path: ["url"], message: "required" as const }] : []),
  ],
);

export const definitionsStruct: Input<model.Definitions> = shape({
  events: optional(listOf(eventTypeDefinitionStruct)),
  attributes: optional(listOf(attributeDefinitionStruct)),
  audiences: optional(listOf(audienceDefinitionStruct)),
  checklists: optional(listOf(checklistDefinitionStruct)),
  subscriptions: optional(listOf(subscriptionDefinitionStruct)),
});

export const removeUnlistedOptionsStruct: Input<{ dryRun?: boolean | undefined }> = shape({
  dryRun: optional(flag),
});
