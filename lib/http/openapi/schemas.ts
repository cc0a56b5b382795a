import { eventKeyStruct, externalIdStruct, emailStruct } from "../../input/identifiers.ts";
import { propertiesStruct } from "../../input/events.ts";
import { scalarStruct, valuesByName } from "../../input/shapes.ts";
import { newApiKeyStruct, newContactStruct } from "../../input/structs.ts";
import { issueMessages, type ErrorCode } from "../../model/errors.ts";
import { attributesPerContactMax, issuesMax } from "../../model/limits.ts";
import { contactFieldNames, contactFields } from "../../model/contact-fields.ts";
import { metCodes, statusOf } from "../statuses.ts";
import { changeSchemas, type ChangeSchemaName } from "./change-schemas.ts";
import { definitionSchemas, type DefinitionSchemaName } from "./definition-schemas.ts";
import { fieldsOf, requestSchemas, schemaOf, type RequestName } from "./requests.ts";
import { count, id, list, nullable, object, reference, time, type Schema, type Schemas } from "./schema.ts";

const email = schemaOf(emailStruct);
const externalId = schemaOf(externalIdStruct);
const eventKey = schemaOf(eventKeyStruct);
const properties = schemaOf(propertiesStruct);
const { "access?": access = {}, "requestsPerMinute?": requestsPerMinute = {} } = fieldsOf(newApiKeyStruct);

const given = fieldsOf(newContactStruct);
const optionalFields = Object.fromEntries(
  contactFieldNames.map((name) => [name, contactFields[name].kind === "time" ? nullable(time) : given[`${name}?`]!]),
);

/** The answers to the items of a batch, in their order. */
function answersOf(answer: string, details: Record<string, Schema> = {}): Schema {
  const body = { oneOf: [reference(answer), reference("Refusal")] };
  return list(object({ status: { type: "integer" }, body, ...details }));
}

export type SchemaName =
  | "Contact"
  | "Deletion"
  | "ContactAnswers"
  | "EventAnswers"
  | "TrackedEvent"
  | "CompletedChecklistItems"
  | "StoredEvents"
  | "RecentEvents"
  | "Activity"
  | "ContactExport"
  | "Contacts"
  | "Keys"
  | "Count"
  | "NextCursor"
  | "ApiKey"
  | "ApiKeys"
  | "ApiKeyText"
  | "OwnApiKey"
  | "WorkspaceName"
  | RequestName
  | ChangeSchemaName
  | DefinitionSchemaName;

const storedEvent = { id, eventKey, contactId: id, createdAt: time, properties };

function refusalOf(codes: readonly ErrorCode[]): Schema {
  return object({
    success: { const: false },
    error: object({
      code: { type: "string", enum: codes },
      message: { type: "string" },
      "issues?": list(reference("RefusalIssue"), { minItems: 1, maxItems: issuesMax }),
      "conflict?": reference("RefusalConflict"),
    }),
  });
}

/** The schema of the refusals of each status, with the codes of all routes. */
export const refusalSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  metCodes.map((code) => [
    `Refusal${statusOf(code)}`,
    refusalOf(metCodes.filter((other) => statusOf(other) === statusOf(code))),
  ]),
);

/** The schemas of requests and answers, by name. */
export const schemas: Schemas<SchemaName> = {
  Contact: object({
    id,
    email,
    externalId,
    ...optionalFields,
    customAttributes: schemaOf(valuesByName(scalarStruct, attributesPerContactMax)),
    createdAt: time,
    updatedAt: time,
  }),
  Deletion: object({ contactId: id, events: count }),
  ContactAnswers: answersOf("UpsertContactAnswer"),
  EventAnswers: answersOf("TrackEventAnswer", {
    "replayed?": { type: "boolean", description: "true if it was answered before, under its idempotencyKey." },
  }),
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
  RecentEvents: list(object({ ...storedEvent, externalId, email, name: optionalFields.name! })),
  Activity: object({
    periods: list(reference("ActivityPeriod")),
    "eventsKeptSince?": reference("EventsKeptSince"),
    "countedSince?": { ...time, description: "Older periods are missing, because the time limit ended the count." },
    "total?": reference("ActivityPeriod"),
  }),
  ActivityPeriod: object({
    from: time,
    to: time,
    events: nullable(count),
    contacts: nullable(count),
    newContacts: count,
  }),
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
  ...requestSchemas,
  ...definitionSchemas,
  ...changeSchemas,
  Refusal: refusalOf(metCodes),
  RefusalIssue: object({
    path: { type: "string", description: "Dotted; empty for the whole body." },
    code: { type: "string", enum: Object.keys(issueMessages()) },
    message: { type: "string", description: "What is expected, in words." },
  }),
  RefusalConflict: object({
    field: { type: "string", enum: ["email", "externalId", "identifier"] },
    contacts: list(object({ id, email, externalId }), { minItems: 1, maxItems: 2 }),
  }),
};
