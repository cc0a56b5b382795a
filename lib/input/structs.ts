import { Struct, optional, nullable } from "superstruct";
import { definitionKeyStruct, emailStruct, eventKeyStruct, externalIdStruct } from "./identifiers.ts";
import { failuresOf, leaf, listOf, parse, problem, scalars, shape, valuesByName } from "./shapes.ts";
import type {
  AttributeDefinition,
  AttributeType,
  AudienceDefinition,
  ChecklistDefinition,
  ChecklistItem,
  ContactChanges,
  Definitions,
  NewContact,
  NewEvent,
  PageRequest,
  Rule,
  Scalar,
} from "../types.ts";
import { idempotencyKeyMaxCharacters, itemsPerChecklistMax, propertiesPerEventMax, textMaxBytes } from "../limits.ts";
import { text, avatarUrlStruct, timeStruct, label } from "./fields.ts";
import { pageFields } from "./pages.ts";
import { ruleStruct, whenStruct } from "./rules.ts";
import { valueTypes, type EventTypeDefinition, type PropertyType } from "../declarations.ts";

const keyOnlyStruct = shape<{ key: string }>("Key", { key: definitionKeyStruct });

export function parseKey(key: unknown): string {
  return parse({ key }, keyOnlyStruct).key;
}

const eventKeyOnlyStruct = shape<{ key: string }>("Key", { key: eventKeyStruct });

export function parseEventKey(key: unknown): string {
  return parse({ key }, eventKeyOnlyStruct).key;
}

export const identifierOnlyStruct: Struct<{ identifier: string }, null> = shape<{ identifier: string }>("Identifier", {
  identifier: externalIdStruct,
});

const externalIdOnlyStruct = shape<{ externalId: string }>("ExternalId", { externalId: externalIdStruct });

export function parseExternalId(value: unknown): string {
  return parse({ externalId: value }, externalIdOnlyStruct).externalId;
}

const clearable = <T>(struct: Struct<T, null>): Struct<T | null | undefined, null> => optional(nullable(struct));
// No limit here: the limit counts the contact's attributes after the merge, which the storage knows.
export const customAttributesStruct: Struct<Record<string, Scalar | null | undefined>, null> = scalars<Scalar | null>(
  "customAttributes",
  { countMax: Infinity, allowNull: true },
);

const changeFields = {
  externalId: clearable(externalIdStruct),
  name: clearable(text(textMaxBytes)),
  phone: clearable(text(textMaxBytes)),
  avatarUrl: clearable(avatarUrlStruct),
  role: clearable(text(textMaxBytes)),
  plan: clearable(text(textMaxBytes)),
  signedUpAt: clearable(timeStruct),
  customAttributes: optional(customAttributesStruct),
};

export const newContactStruct: Struct<NewContact, null> = shape<NewContact>("NewContact", {
  email: emailStruct,
  ...changeFields,
});

export const contactChangesStruct: Struct<ContactChanges, null> = shape<ContactChanges>("ContactChanges", {
  email: optional(emailStruct),
  ...changeFields,
});

const propertiesStruct: Struct<NewEvent["properties"], null> = optional(
  scalars<Scalar>("properties", { countMax: propertiesPerEventMax, allowNull: false }),
);

export const newEventStruct: Struct<NewEvent, null> = shape<NewEvent>("NewEvent", {
  externalId: externalIdStruct,
  eventKey: eventKeyStruct,
  properties: propertiesStruct,
  createdAt: optional(timeStruct),
});

const idempotencyKeyStruct = leaf<string>("visible ASCII characters", (value) => {
  if (typeof value !== "string") return "wrong_type";
  if (value === "") return "too_short";
  if (value.length > idempotencyKeyMaxCharacters) return tooLongKey;
  return /^[\x21-\x7e]+$/.test(value) ? null : "invalid_format";
});

const tooLongKey = problem("too_long", `Too long: at most ${idempotencyKeyMaxCharacters} characters.`);

/** The options of `track`. The HTTP header is defined in draft-ietf-httpapi-idempotency-key-header. */
export const trackOptionsStruct: Struct<{ idempotencyKey?: string | undefined }, null> = shape<{
  idempotencyKey?: string | undefined;
}>("TrackOptions", {
  idempotencyKey: optional(idempotencyKeyStruct),
});

export const eventPageRequestStruct: Struct<PageRequest & { eventKey?: string | undefined }, null> = shape<
  PageRequest & { eventKey?: string | undefined }
>("EventPageRequest", {
  ...pageFields,
  eventKey: optional(eventKeyStruct),
});

export const olderEventStruct: Struct<OlderEvent, null> = shape<OlderEvent>("OlderEvent", {
  email: emailStruct,
  event: eventKeyStruct,
  properties: propertiesStruct,
  createdAt: optional(timeStruct),
});

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

const checklistItemStruct = shape<ChecklistItem>("ChecklistItem", {
  key: definitionKeyStruct,
  name: label(textMaxBytes),
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
  { key: definitionKeyStruct, name: label(textMaxBytes), items: itemsStruct },
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
  dryRun: optional(leaf<boolean>("a boolean", (value) => (typeof value === "boolean" ? null : "wrong_type"))),
});

export const newApiKeyStruct: Struct<{ name: string }, null> = shape<{ name: string }>("NewApiKey", {
  name: label(textMaxBytes),
});

export const idOnlyStruct: Struct<{ id: string }, null> = shape<{ id: string }>("Id", {
  id: leaf("text", (value) => (typeof value === "string" ? null : "wrong_type")),
});

export const workspaceNameStruct: Struct<{ name: string }, null> = shape<{ name: string }>("WorkspaceName", {
  name: leaf("1 to 64 of a-z, 0-9, _ and -", (value) => {
    if (typeof value !== "string") return "wrong_type";
    return /^[a-z0-9_-]{1,64}$/.test(value) ? null : "invalid_format";
  }),
});

/** The older shape of an event request. It names the contact by its email, and the event key is called `event`. */
export interface OlderEvent {
  email: string;
  event: string;
  properties: NewEvent["properties"];
  createdAt: NewEvent["createdAt"];
}
