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
} from "../model/types.ts";
import { hrefMaxBytes, itemsPerChecklistMax, propertiesPerEventMax, textMaxBytes } from "../model/limits.ts";
import { flag, label, link } from "./fields.ts";
import { pageFields } from "./pages.ts";
import { ruleStruct, whenStruct } from "./rules.ts";
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

export const previewStruct: Struct<PageRequest & { rule: Rule }, null> = shape<PageRequest & { rule: Rule }>(
  "Preview",
  {
    ...pageFields,
    rule: ruleStruct,
  },
);

export const audienceDefinitionStruct: Struct<AudienceDefinition, null> = shape<AudienceDefinition>(
  "AudienceDefinition",
  {
    key: definitionKeyStruct,
    name: label(textMaxBytes),
    rule: ruleStruct,
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
});

export const pruneOptionsStruct: Struct<{ dryRun?: boolean | undefined }, null> = shape<{
  dryRun?: boolean | undefined;
}>("PruneOptions", {
  dryRun: optional(flag),
});
