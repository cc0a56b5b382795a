import { propertiesStruct } from "../../input/events.ts";
import { eventKeyStruct } from "../../input/identifiers.ts";
import { scalarStruct } from "../../input/shapes.ts";
import { schemaOf } from "./requests.ts";
import { count, id, list, nullable, object, reference, time, type Schema, type Schemas } from "./schema.ts";

export type ChangeSchemaName =
  | "Changes"
  | "RecentChanges"
  | "ChangeCursor"
  | "MoreChanges"
  | "Backlog"
  | "ParkedContacts"
  | "Webhook"
  | "WebhookSecrets"
  | "WebhookSecretText"
  | "SecretId"
  | "SecretTime"
  | "SecretEnd"
  | "WebhookTest";

const cursor = { type: "string", description: "The `after` of the changes that follow." };
const eventKey = schemaOf(eventKeyStruct);
const value = nullable(schemaOf(scalarStruct));

const status = { type: "integer", description: "null without an answer." };
const end = { ...nullable(time), description: "From when on it no longer signs; null for the newest." };
const secret = object({ id, createdAt: time, endsAt: end });

function changeOf(kinds: readonly string[], rest: Record<string, Schema>): Schema {
  const kind = { type: "string", enum: kinds };
  return object({ id, cursor, kind, at: time, contact: reference("ContactOfChange"), ...rest });
}

const alternatives = {
  EventRecorded: changeOf(["event_recorded"], {
    event: object({
      id,
      eventKey,
      contactId: id,
      createdAt: time,
      properties: nullable(schemaOf(propertiesStruct)),
    }),
  }),
  ContactWritten: changeOf(["contact_created", "contact_updated"], {
    changed: {
      type: "object",
      additionalProperties: reference("FieldChange"),
      description: "By the name of the field; attributes as `customAttributes.key`.",
    },
  }),
  ContactDeleted: changeOf(["contact_deleted"], {
    contact: object({ id, externalId: { type: ["string", "null"] } }),
  }),
  ItemCompleted: changeOf(["item_completed"], { item: reference("CompletedChecklistItem") }),
  ChecklistCompleted: changeOf(["checklist_completed"], { checklistKey: { type: "string" } }),
  AudienceMoved: changeOf(["audience_entered", "audience_left"], {
    audienceKey: { type: "string" },
    "current?": { type: "boolean", description: "true if the first pass found the contact in the audience." },
  }),
};

export const changeSchemas: Schemas<ChangeSchemaName> = {
  Changes: list(reference("Change"), { description: "In the order of the log." }),
  RecentChanges: list(reference("Change"), { description: "Newest first." }),
  ChangeCursor: cursor,
  MoreChanges: {
    type: "boolean",
    description: "Whether there are more changes, which another request gets at once.",
  },
  Change: {
    description: "Later versions may add kinds: ignore a kind that you do not know.",
    oneOf: Object.keys(alternatives).map(reference),
  },
  ...alternatives,
  ContactOfChange: object({ id, email: { type: "string" }, externalId: { type: "string" } }),
  Backlog: nullable(
    object(
      {
        changes: count,
        more: { type: "boolean", description: "Whether there may be more changes." },
        oldestAgeSeconds: { type: "number", minimum: 0 },
        parked: count,
      },
      { description: "null if no consumer has taken a change yet." },
    ),
  ),
  FieldChange: nullable(
    object(
      { before: value, after: value },
      { description: "null if the values of all fields together are too large." },
    ),
  ),
  ParkedContacts: list(
    object({
      contactId: id,
      changeId: id,
      change: {
        description: "null if the change is no longer kept: it can be dropped, and not retried.",
        oneOf: [reference("Change"), { type: "null" }],
      },
      error: { type: "string", description: "The error of the last try." },
      tries: count,
      parkedAt: time,
    }),
  ),
  Webhook: object({
    origin: { type: "string", description: "The URL without path and query." },
    state: { type: "string", enum: ["delivering", "no_secret", "paused", "down", "disabled"] },
    secrets: list(secret, { description: "The newest first." }),
    lastTryAt: nullable(time),
    lastStatus: nullable(status),
    lastError: nullable({ type: "string" }),
    lastSuccessAt: nullable(time),
    pausedUntil: nullable(time),
    downSince: nullable(time),
    nextProbeAt: nullable(time),
    disabledAt: nullable(time),
    disabledReason: nullable({ type: "string", enum: ["gone", "down_too_long", "changes_expired"] }),
  }),
  WebhookSecrets: list(secret),
  WebhookSecretText: { type: "string", description: "`whsec_`, then 32 bytes in base64." },
  SecretId: id,
  SecretTime: time,
  SecretEnd: end,
  WebhookTest: object({
    delivered: { type: "boolean" },
    status: nullable(status),
    error: nullable({ type: "string" }),
  }),
};
