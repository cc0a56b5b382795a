import { emptyPlainFields } from "../../model/contact-types.ts";
import type { RouteName } from "../routes/lines.ts";
import { created, ok } from "../statuses.ts";

const signedUpAt = "2026-11-20T10:00:00.000Z";
const contact = {
  id: "019aa0b5-1a00-7000-8000-000000000001",
  email: "ada@example.com",
  externalId: "u_1",
  ...emptyPlainFields,
  name: "Ada",
  plan: "team",
  signedUpAt,
  customAttributes: { seats: 12 },
  createdAt: signedUpAt,
  updatedAt: signedUpAt,
};
const { id: contactId, email, externalId, name, plan, customAttributes } = contact;
const eventKey = "signup_completed";
const properties = { method: "email" };
const event = { id: "019aa0b5-1a01-7000-8000-000000000002", eventKey, contactId, createdAt: signedUpAt };
const progress = { completed: 1, total: 2 };
const item = { checklistKey: "first_steps", itemKey: "sign_up", name: "Sign up", completedAt: signedUpAt, progress };
const tracked = { event, completedChecklistItems: [item] };
const sent = { externalId, eventKey, properties };

function batchOf(status: number, answer: object): object {
  return { items: [{ status, body: { success: true, ...answer } }] };
}

/** Ada signs up: the body and the answer of each route of contacts and events. */
export const examples: Readonly<Partial<Record<RouteName, { body?: object; answer: object }>>> = {
  upsertContact: { body: { email, externalId, name, signedUpAt, customAttributes }, answer: { contact } },
  upsertContacts: {
    body: { items: [{ by: "externalId", externalId, plan }] },
    answer: batchOf(ok, { contact }),
  },
  listContacts: { answer: { items: [contact], nextCursor: null } },
  getContact: { answer: { contact } },
  putContact: { body: { email, plan }, answer: { contact } },
  updateContact: { body: { plan, phone: null }, answer: { contact } },
  deleteContact: { answer: { deleted: { contactId, events: 1 } } },
  exportContact: {
    answer: {
      export: {
        contact,
        events: [{ ...event, properties, completedChecklistItems: [item] }],
        eventSummaries: [{ eventKey, count: 1, firstAt: signedUpAt, lastAt: signedUpAt }],
        completions: [],
        dismissals: [],
      },
    },
  },
  trackEvent: { body: sent, answer: tracked },
  trackEvents: { body: { items: [{ ...sent, idempotencyKey: "signup-u_1" }] }, answer: batchOf(created, tracked) },
  listRecentEvents: { answer: { items: [{ ...event, properties, externalId }], nextCursor: null } },
  listEvents: { answer: { items: [{ ...event, properties }], nextCursor: null } },
};
