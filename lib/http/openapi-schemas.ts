import { issueMessages } from "../errors.ts";
import { emailPattern } from "../input/identifiers.ts";
import {
  attributesPerContactMax,
  avatarUrlMaxBytes,
  emailMaxBytes,
  eventKeyMaxBytes,
  externalIdMaxBytes,
  issuesMax,
  keyMaxBytes,
  propertiesPerEventMax,
  textMaxBytes,
  valueMaxBytes,
} from "../limits.ts";
import { metCodes } from "./statuses.ts";

/** A schema as OpenAPI 3.1 takes it: JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

export function reference(name: SchemaName): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object schema with these properties. A name that ends in `?` marks an optional property. */
export function object(properties: Record<string, Schema>, details: Schema = {}): Schema {
  const entries = Object.entries(properties);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace("?", ""), schema])),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith("?")),
    ...details,
  };
}

/** `maxLength` counts characters, our limits bytes. A character takes at least one byte, so no valid text is too long. */
function text(maxBytes: number, details: Schema = {}): Schema {
  return { type: "string", maxLength: maxBytes, description: `At most ${maxBytes} bytes of UTF-8.`, ...details };
}

function nullable({ type, ...rest }: Schema): Schema {
  return { type: [type, "null"], ...rest };
}

const closed = { additionalProperties: false };
const id = { type: "string", format: "uuid", description: "UUIDv7." };
const time = { type: "string", format: "date-time", description: "ISO 8601 in UTC, with milliseconds." };
const count = { type: "integer", minimum: 0 };
const email = text(emailMaxBytes, { pattern: emailPattern.source });
const externalId = text(externalIdMaxBytes, {
  minLength: 1,
  description: `The caller's own identifier; the email until one is given. At most ${externalIdMaxBytes} bytes of UTF-8.`,
});

const eventKey = text(eventKeyMaxBytes, { minLength: 1 });
const scalar = { type: ["string", "number", "boolean"], maxLength: valueMaxBytes };
const happened = {
  type: "string",
  description: "When it happened, an ISO 8601 date-time with a zone; the time of the request by default.",
};
const keys = { propertyNames: { maxLength: keyMaxBytes } };
const properties = {
  type: "object",
  ...keys,
  additionalProperties: scalar,
  maxProperties: propertiesPerEventMax,
  description: "Flat.",
};

const texts = {
  name: nullable(text(textMaxBytes)),
  phone: nullable(text(textMaxBytes)),
  avatarUrl: nullable(text(avatarUrlMaxBytes, { description: "An absolute http(s) URL." })),
  role: nullable(text(textMaxBytes)),
  plan: nullable(text(textMaxBytes)),
};

const changes = {
  "externalId?": nullable(externalId),
  ...Object.fromEntries(Object.entries(texts).map(([name, schema]) => [`${name}?`, schema])),
  "signedUpAt?": { type: ["string", "null"], description: "An ISO 8601 date-time with a zone." },
  "customAttributes?": {
    type: "object",
    ...keys,
    additionalProperties: { ...scalar, type: [...scalar.type, "null"] },
    description: "Merged key by key; null removes a key. Every key must have been defined.",
  },
};

export type SchemaName =
  | "NewContact"
  | "ContactChanges"
  | "Contact"
  | "Deletion"
  | "EventInput"
  | "NewEvent"
  | "OlderEvent"
  | "TrackedEvent"
  | "CompletedChecklistItems"
  | "Refusal";

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
  Contact: object({
    id,
    email,
    externalId,
    ...texts,
    signedUpAt: nullable(time),
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
  EventInput: { oneOf: [reference("NewEvent"), reference("OlderEvent")] },
  NewEvent: object({ externalId, eventKey, "properties?": properties, "createdAt?": happened }, closed),
  OlderEvent: object(
    { email, event: eventKey, "properties?": properties, "createdAt?": happened },
    { ...closed, deprecated: true },
  ),
  TrackedEvent: object({ id, eventKey, contactId: id, createdAt: time }),
  CompletedChecklistItems: {
    type: "array",
    items: object({
      checklistKey: { type: "string" },
      itemKey: { type: "string" },
      name: { type: "string" },
      completedAt: time,
      progress: object({ completed: count, total: count }),
    }),
    description: "The items that this event completed, in the checklist's order.",
  },
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
