/**
 * The routes by their names. This file contains only data, so that a page and the client can import it. Each route is a constant of
 * its own, because a bundler shortens the names of constants.
 */
import type { Access } from "../../model/declarations.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Method, path and needed access, and then the fields of the answer. The name of an optional field ends in `?`. */
export type Row = readonly [`${Method} /${string} ${Access}`, ...string[]];

export const trackEvent = ["POST /events write", "event", "completedChecklistItems"] as const;
export const trackEvents = ["POST /events/batch write", "items"] as const;
export const listRecentEvents = ["GET /events read", "items", "nextCursor"] as const;
export const countActivity = ["GET /activity read", "activity"] as const;
export const listEvents = ["GET /contacts/:externalId/events read", "items", "nextCursor"] as const;
export const upsertContact = ["POST /contacts write", "contact"] as const;
export const upsertContacts = ["POST /contacts/batch write", "items"] as const;
export const listContacts = ["GET /contacts read", "items", "nextCursor", "total?"] as const;
export const getContact = ["GET /contacts/:externalId read", "contact"] as const;
export const putContact = ["PUT /contacts/:externalId write", "contact"] as const;
export const updateContact = ["PATCH /contacts/:externalId write", "contact"] as const;
export const deleteContact = ["DELETE /contacts/:identifier write", "deleted"] as const;
export const listAudiencesOfContact = ["GET /contacts/:externalId/audiences read", "items"] as const;
export const exportContact = ["GET /contacts/:externalId/export read", "export"] as const;
export const listEventTypes = ["GET /event-types read", "items"] as const;
export const putEventType = ["PUT /event-types/:key admin", "eventType"] as const;
export const deleteEventType = ["DELETE /event-types/:key admin"] as const;
export const listEventTypeUsage = ["GET /event-types/usage read", "items", "nextCursor"] as const;
export const listAttributes = ["GET /attributes read", "items"] as const;
export const putAttribute = ["PUT /attributes/:key admin", "attribute"] as const;
export const deleteAttribute = ["DELETE /attributes/:key admin"] as const;
export const listAudiences = ["GET /audiences read", "items"] as const;
export const putAudience = ["PUT /audiences/:key admin", "audience"] as const;
export const deleteAudience = ["DELETE /audiences/:key admin"] as const;
export const listMembers = ["GET /audiences/:key/members read", "items", "nextCursor", "eventsKeptSince?"] as const;
export const countMembers = ["GET /audiences/:key/count read", "count", "eventsKeptSince?"] as const;
export const explainMember = ["GET /audiences/:key/explain/:externalId read", "explanation"] as const;
export const previewAudience = [
  "POST /audiences/preview read",
  "count?",
  "items",
  "nextCursor",
  "eventsKeptSince?",
] as const;
export const explainRule = ["POST /audiences/explain read", "explanation"] as const;
export const listChecklists = ["GET /checklists read", "items"] as const;
export const putChecklist = ["PUT /checklists/:key admin", "checklist"] as const;
export const deleteChecklist = ["DELETE /checklists/:key admin"] as const;
export const countCompletedItems = ["GET /checklists/:key/counts read", "items"] as const;
export const getProgress = ["GET /contacts/:externalId/checklists read", "items"] as const;
export const completeItem = [
  "POST /contacts/:externalId/checklists/:checklistKey/items/:itemKey/complete write",
  "checklist",
] as const;
export const dismissChecklist = [
  "POST /contacts/:externalId/checklists/:checklistKey/dismiss write",
  "checklist",
] as const;
export const restoreChecklist = [
  "POST /contacts/:externalId/checklists/:checklistKey/restore write",
  "checklist",
] as const;
export const listSubscriptions = ["GET /subscriptions read", "items"] as const;
export const putSubscription = ["PUT /subscriptions/:key admin", "subscription"] as const;
export const deleteSubscription = ["DELETE /subscriptions/:key admin"] as const;
export const listChanges = ["GET /subscriptions/:key/changes read", "items", "cursor", "more"] as const;
export const listRecentChanges = ["GET /subscriptions/:key/changes/recent read", "items"] as const;
export const readBacklog = ["GET /subscriptions/:key/backlog read", "backlog"] as const;
export const listParked = ["GET /subscriptions/:key/parked read", "items", "nextCursor"] as const;
export const retryChange = ["POST /subscriptions/:key/parked/:changeId/retry write"] as const;
export const dropChange = ["POST /subscriptions/:key/parked/:changeId/drop write"] as const;
export const resumeSubscription = ["POST /subscriptions/:key/resume admin"] as const;
export const getWebhook = ["GET /subscriptions/:key/webhook read", "webhook"] as const;
export const listSecrets = ["GET /subscriptions/:key/secrets admin", "items"] as const;
export const createSecret = ["POST /subscriptions/:key/secrets admin", "secret", "id", "createdAt", "endsAt"] as const;
export const deleteSecret = ["DELETE /subscriptions/:key/secrets/:id admin"] as const;
export const enableWebhook = ["POST /subscriptions/:key/enable admin"] as const;
export const sendTest = ["POST /subscriptions/:key/test admin", "test"] as const;
export const getOwnApiKey = ["GET /key read", "workspace", "apiKey"] as const;
export const listApiKeys = ["GET /api-keys admin", "items"] as const;
export const createApiKey = ["POST /api-keys admin", "key", "apiKey"] as const;
export const revokeApiKey = ["DELETE /api-keys/:id admin"] as const;
