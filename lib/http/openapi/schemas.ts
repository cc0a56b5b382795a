import { accesses } from "../../model/declarations.ts";
import { issueMessages } from "../../model/errors.ts";
import { emailPattern } from "../../input/identifiers.ts";
import {
  attributesPerContactMax,
  emailMaxBytes,
  eventKeyMaxBytes,
  externalIdMaxBytes,
  idempotencyKeyMaxCharacters,
  issuesMax,
  itemsPerBatchMax,
  requestsPerMinuteMax,
  textMaxBytes,
} from "../../model/limits.ts";
import { contactFields, type ContactField } from "../../model/contact-fields.ts";
import { metCodes } from "../statuses.ts";
import { changeSchemas, type ChangeSchemaName } from "./change-schemas.ts";
import { definitionSchemas, type DefinitionSchemaName } from "./definition-schemas.ts";
import {
  closed,
  count,
  id,
  keys,
  list,
  nullable,
  object,
  properties,
  reference,
  scalar,
  text,
  time,
  type Schema,
} from "./schema.ts";

const email = text(emailMaxBytes, { pattern: emailPattern.source });
const externalId = text(externalIdMaxBytes, {
  minLength: 1,
  description: `The caller's own identifier; the email until one is given. At most ${externalIdMaxBytes} bytes of UTF-8.`,
});

const eventKey = text(eventKeyMaxBytes, { minLength: 1 });
const happened = {
  type: "string",
  description: "When it happened, an ISO 8601 date-time with a zone; the time of the request by default.",
};

const happening = { eventKey, "properties?": properties, "createdAt?": happened };
const newEvent = { externalId, ...happening };
const olderEvent = { email, event: eventKey, "properties?": properties, "createdAt?": happened };
const idempotencyKey = { type: "string", pattern: `^[!-~]{1,${idempotencyKeyMaxCharacters}}$` };

const notify = { type: "boolean", description: "false keeps the writes out of all subscriptions; true by default." };

function batchOf(items: Schema): Schema {
  return object({ items: list(items, { maxItems: itemsPerBatchMax }), "notify?": notify }, closed);
}

/** The answers to the items of a batch, in their order. */
function answersOf(output: Record<string, Schema>, details: Record<string, Schema> = {}): Schema {
  const body = { oneOf: [object({ success: { const: true }, ...output }), reference("Refusal")] };
  return list(object({ status: { type: "integer" }, body, ...details }));
}

const access = { enum: accesses, description: "Each includes the one before it; write by default." };
const requestsPerMinute = { type: "integer", minimum: 1, maximum: requestsPerMinuteMax };

const storedEvent = { id, eventKey, contactId: id, createdAt: time, properties };

const sentTime = { type: "string", description: "An ISO 8601 date-time with a zone." };

function fieldSchema(field: ContactField, timeSchema: Schema): Schema {
  if (field.kind === "time") return nullable(timeSchema);
  return nullable(text(field.maxBytes, field.kind === "url" ? { description: "An absolute http(s) URL." } : {}));
}

const fields = Object.entries(contactFields);

const changes = {
  "externalId?": nullable(externalId),
  ...Object.fromEntries(fields.map(([name, field]) => [`${name}?`, fieldSchema(field, sentTime)])),
  "customAttributes?": {
    type: "object",
    ...keys,
    additionalProperties: { ...scalar, type: [...scalar.type, "null"] },
    description: "Merged key by key; null removes a key. Every key must have been defined.",
  },
};

const { "externalId?": _, ...otherChanges } = changes;
const putItem = { by: { const: "externalId" }, externalId, "email?": email, ...otherChanges };

const eventContact = { email, "externalId?": nullable(externalId), "name?": fieldSchema(contactFields.name, time) };

export type SchemaName =
  | "NewContact"
  | "ContactChanges"
  | "PutFields"
  | "Contact"
  | "Deletion"
  | "ContactBatch"
  | "ContactAnswers"
  | "EventInput"
  | "EventBatch"
  | "EventAnswers"
  | "NewEvent"
  | "FirstEvent"
  | "OlderEvent"
  | "TrackedEvent"
  | "CompletedChecklistItem"
  | "CompletedChecklistItems"
  | "StoredEvents"
  | "RecentEvents"
  | "ContactExport"
  | "Contacts"
  | "Keys"
  | "Count"
  | "NextCursor"
  | "NewApiKey"
  | "ApiKey"
  | "ApiKeys"
  | "ApiKeyText"
  | "OwnApiKey"
  | "WorkspaceName"
  | "Refusal"
  | ChangeSchemaName
  | DefinitionSchemaName;

const issue = object({
  path: { type: "string", description: "Dotted; empty for the whole body." },
  code: { enum: Object.keys(issueMessages) },
  message: { type: "string", description: "What is expected, in words." },
});

const conflict = object({
  field: { enum: ["email", "externalId", "identifier"] },
  contacts: { type: "array", items: object({ id, email, externalId }), minItems: 1, maxItems: 2 },
});

/** The schemas of requests and answers, by name. Request schemas are closed: they refuse unknown fields. */
export const schemas: Readonly<Record<SchemaName, Schema>> = {
  NewContact: object({ email, ...changes }, closed),
  ContactChanges: object({ "email?": email, ...changes }, closed),
  PutFields: object({ "email?": email, ...changes, "externalId?": externalId }, closed),
  Contact: object({
    id,
    email,
    externalId,
    ...Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field, time)])),
    customAttributes: {
      type: "object",
      ...keys,
      additionalProperties: scalar,
      maxProperties: attributesPerContactMax,
    },
    createdAt: time,
    updatedAt: time,
  }),
  Deletion: object({ contactId: id, events: count }),
  EventInput: { oneOf: [reference("NewEvent"), reference("FirstEvent"), reference("OlderEvent")] },
  NewEvent: object(newEvent, closed),
  FirstEvent: object({ contact: object(eventContact, closed), ...happening }, closed),
  OlderEvent: object(olderEvent, { ...closed, deprecated: true }),
  ContactBatch: batchOf({ oneOf: [reference("NewContact"), object(putItem, closed)] }),
  ContactAnswers: answersOf({ contact: reference("Contact") }),
  EventBatch: batchOf({
    oneOf: [
      object({ ...newEvent, "idempotencyKey?": idempotencyKey }, closed),
      object({ ...olderEvent, "idempotencyKey?": idempotencyKey }, { ...closed, deprecated: true }),
    ],
  }),
  EventAnswers: answersOf(
    { event: reference("TrackedEvent"), completedChecklistItems: reference("CompletedChecklistItems") },
    { "replayed?": { const: true, description: "The item was answered before, under its idempotencyKey." } },
  ),
  TrackedEvent: object({ id, eventKey, contactId: id, createdAt: time }),
  CompletedChecklistItem: object({
    checklistKey: { type: "string" },
    itemKey: { type: "string" },
    name: { type: "string" },
    completedAt: time,
    progress: reference("Progress"),
  }),
  CompletedChecklistItems: list(reference("CompletedChecklistItem"), {
    description: "The items that this event completed, in the checklist's order.",
  }),
  StoredEvents: list(object(storedEvent)),
  RecentEvents: list(object({ ...storedEvent, externalId })),
  ContactExport: object({
    contact: reference("Contact"),
    events: list(object({ ...storedEvent, completedChecklistItems: reference("CompletedChecklistItems") })),
    eventSummaries: list(object({ eventKey, count, firstAt: time, lastAt: time })),
    completions: list(
      object({ checklistKey: { type: "string" }, itemKey: { type: "string" }, completedAt: nullable(time) }),
    ),
    dismissals: list(object({ checklistKey: { type: "string" }, dismissedAt: time })),
  }),
  Contacts: list(reference("Contact")),
  Keys: list({ type: "string" }),
  Count: count,
  NextCursor: { type: ["string", "null"], description: "The `cursor` of the next page; null on the last one." },
  NewApiKey: object(
    {
      name: text(textMaxBytes, { minLength: 1 }),
      "access?": access,
      "requestsPerMinute?": requestsPerMinute,
      "expiresAt?": { type: "string", description: "An ISO 8601 date-time with a zone, in the future." },
    },
    closed,
  ),
  ApiKey: object({
    id,
    name: { type: "string" },
    prefix: { type: "string", description: "The key's first 12 characters." },
    access,
    requestsPerMinute: nullable(requestsPerMinute),
    expiresAt: nullable(time),
    createdAt: time,
    lastUsedAt: nullable(time),
  }),
  ApiKeys: list(reference("ApiKey")),
  OwnApiKey: {
    anyOf: [reference("ApiKey"), { type: "null" }],
    description: "null where the host of a dashboard has admitted the request.",
  },
  WorkspaceName: { type: "string" },
  ApiKeyText: { type: "string", description: "The key itself. Only its hash is stored." },
  ...definitionSchemas,
  ...changeSchemas,
  Refusal: object({
    success: { const: false },
    error: object({
      code: { enum: metCodes },
      message: { type: "string" },
      "issues?": { type: "array", items: issue, minItems: 1, maxItems: issuesMax },
      "conflict?": conflict,
    }),
  }),
};
