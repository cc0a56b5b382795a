import { emptyPlainFields } from "../../model/contact-types.ts";
import { keepDaysDefault } from "../../model/limits.ts";
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
const observed = { count: 1, firstAt: signedUpAt, lastAt: signedUpAt };
const signedUpOn = { from: "2026-11-20T00:00:00.000Z", to: "2026-11-21T00:00:00.000Z" };
const activePeriod = { ...signedUpOn, events: 1, contacts: 1, newContacts: 1 };
const rule = { kind: "has_done", eventKey };
const eventType = { properties: { method: "text" } };
const audience = { name: "Signed up", rule };
const checklist = { name: "First steps", items: [{ key: "sign_up", name: "Sign up", when: rule }] };
const subscription = { on: { audiences: ["signed_up"] } };
const progress = { completed: 1, total: 1 };
const item = { checklistKey: "first_steps", itemKey: "sign_up", name: "Sign up", completedAt: signedUpAt, progress };
const tracked = { event, completedChecklistItems: [item] };
const sent = { externalId, eventKey, properties };
const apiKey = {
  id: "019aa0b5-1a02-7000-8000-000000000003",
  name: "backend",
  prefix: "sk_AbCdEfGhI",
  access: "write",
  requestsPerMinute: null,
  expiresAt: null,
  createdAt: signedUpAt,
  lastUsedAt: null,
};

function batchOf(status: number, answer: object): object {
  return { items: [{ status, body: { success: true, ...answer } }] };
}

/** Ada signs up: the body and the answer of each route of contacts and events, and of each other that takes a body. */
export const examples: Readonly<Partial<Record<RouteName, { body?: object; answer: object }>>> = {
  countActivity: { answer: { activity: { periods: [activePeriod] } } },
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
        eventSummaries: [{ eventKey, ...observed }],
        completions: [],
        dismissals: [],
      },
    },
  },
  trackEvent: { body: sent, answer: tracked },
  trackEvents: { body: { items: [{ ...sent, idempotencyKey: "signup-u_1" }] }, answer: batchOf(created, tracked) },
  listRecentEvents: { answer: { items: [{ ...event, properties, externalId, email, name }], nextCursor: null } },
  listEvents: { answer: { items: [{ ...event, properties }], nextCursor: null } },
  putEventType: { body: eventType, answer: { eventType: { key: eventKey, ...eventType } } },
  putAttribute: { body: { type: "number" }, answer: { attribute: { key: "seats", type: "number" } } },
  putAudience: { body: audience, answer: { audience: { key: "signed_up", ...audience } } },
  putChecklist: { body: checklist, answer: { checklist: { key: "first_steps", ...checklist } } },
  putSubscription: {
    body: subscription,
    answer: { subscription: { key: "mails", ...subscription, keepDays: keepDaysDefault, startsAt: signedUpAt } },
  },
  previewAudience: { body: { rule }, answer: { count: 1, items: [contact], nextCursor: null } },
  explainRule: {
    body: { rule, externalId },
    answer: { explanation: { match: true, because: [{ rule, match: true, observed }] } },
  },
  resumeSubscription: { body: { from: "oldest" }, answer: {} },
  createApiKey: { body: { name: apiKey.name }, answer: { key: `${apiKey.prefix}…`, apiKey } },
};
