import { contactFieldNames } from "../../lib/model/contact-fields.ts";

/** The rows of a file: contacts or events. */
export type Kind = "contacts" | "events";

/** For each field, by its path, the path of its value in a row. */
export type Mapping = Readonly<Record<string, string>>;

/** The format of another product's export: the paths of our fields, and the test for rows of this kind. */
interface Format {
  fields: Mapping;
  only?: { path: string; value: string };
}

/** The fields that can be imported. `id` is the event's own id, from which its idempotency key is made. */
export const fields: Readonly<Record<Kind, Mapping>> = {
  contacts: sameNames("email", "externalId", ...contactFieldNames, "customAttributes", "completions", "dismissals"),
  events: sameNames("id", "externalId", "eventKey", "createdAt", "properties"),
};

/** Fields of our own export that an import ignores. */
export const ignored: Readonly<Record<Kind, readonly string[]>> = {
  contacts: ["id", "createdAt", "updatedAt"],
  events: ["contactId"],
};

/** Segment's raw logs, PostHog's batch exports, and Mixpanel's export of events and of profiles. */
export const formats: Readonly<Record<string, Readonly<Record<Kind, Format>>>> = {
  segment: {
    contacts: {
      only: { path: "type", value: "identify" },
      fields: {
        externalId: "userId",
        email: "traits.email",
        name: "traits.name",
        phone: "traits.phone",
        avatarUrl: "traits.avatar",
        signedUpAt: "traits.createdAt",
        customAttributes: "traits",
      },
    },
    events: {
      only: { path: "type", value: "track" },
      fields: {
        id: "messageId",
        externalId: "userId",
        eventKey: "event",
        createdAt: "timestamp",
        properties: "properties",
      },
    },
  },
  posthog: {
    contacts: {
      fields: {
        externalId: "distinct_id",
        email: "properties.email",
        name: "properties.name",
        signedUpAt: "created_at",
        customAttributes: "properties",
      },
    },
    events: {
      fields: {
        id: "uuid",
        externalId: "distinct_id",
        eventKey: "event",
        createdAt: "timestamp",
        properties: "properties",
      },
    },
  },
  mixpanel: {
    contacts: {
      fields: {
        externalId: "$distinct_id",
        email: "$properties.$email",
        name: "$properties.$name",
        phone: "$properties.$phone",
        avatarUrl: "$properties.$avatar",
        customAttributes: "$properties",
      },
    },
    events: {
      fields: {
        id: "properties.$insert_id",
        externalId: "properties.distinct_id",
        eventKey: "event",
        createdAt: "properties.time",
        properties: "properties",
      },
    },
  },
};

function sameNames(...names: string[]): Mapping {
  return Object.fromEntries(names.map((name) => [name, name]));
}
