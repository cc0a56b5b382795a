import type { Access } from "../../model/declarations.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Method, path and needed access of each route, by its name. Data alone, so that a page can import it. */
const table = {
  trackEvent: ["POST", "/events", "write"],
  trackEvents: ["POST", "/events/batch", "write"],
  listRecentEvents: ["GET", "/events", "read"],
  listEvents: ["GET", "/contacts/:externalId/events", "read"],
  upsertContact: ["POST", "/contacts", "write"],
  upsertContacts: ["POST", "/contacts/batch", "write"],
  listContacts: ["GET", "/contacts", "read"],
  getContact: ["GET", "/contacts/:externalId", "read"],
  putContact: ["PUT", "/contacts/:externalId", "write"],
  updateContact: ["PATCH", "/contacts/:externalId", "write"],
  deleteContact: ["DELETE", "/contacts/:identifier", "write"],
  listAudiencesOfContact: ["GET", "/contacts/:externalId/audiences", "read"],
  exportContact: ["GET", "/contacts/:externalId/export", "read"],
  listEventTypes: ["GET", "/event-types", "read"],
  putEventType: ["PUT", "/event-types/:key", "admin"],
  deleteEventType: ["DELETE", "/event-types/:key", "admin"],
  listEventTypeUsage: ["GET", "/event-types/usage", "read"],
  listAttributes: ["GET", "/attributes", "read"],
  putAttribute: ["PUT", "/attributes/:key", "admin"],
  deleteAttribute: ["DELETE", "/attributes/:key", "admin"],
  listAudiences: ["GET", "/audiences", "read"],
  putAudience: ["PUT", "/audiences/:key", "admin"],
  deleteAudience: ["DELETE", "/audiences/:key", "admin"],
  listMembers: ["GET", "/audiences/:key/members", "read"],
  countMembers: ["GET", "/audiences/:key/count", "read"],
  explainMember: ["GET", "/audiences/:key/explain/:externalId", "read"],
  previewAudience: ["POST", "/audiences/preview", "read"],
  explainRule: ["POST", "/audiences/explain", "read"],
  listChecklists: ["GET", "/checklists", "read"],
  putChecklist: ["PUT", "/checklists/:key", "admin"],
  deleteChecklist: ["DELETE", "/checklists/:key", "admin"],
  countCompletedItems: ["GET", "/checklists/:key/counts", "read"],
  getProgress: ["GET", "/contacts/:externalId/checklists", "read"],
  completeItem: ["POST", "/contacts/:externalId/checklists/:checklistKey/items/:itemKey/complete", "write"],
  dismissChecklist: ["POST", "/contacts/:externalId/checklists/:checklistKey/dismiss", "write"],
  restoreChecklist: ["POST", "/contacts/:externalId/checklists/:checklistKey/restore", "write"],
  listSubscriptions: ["GET", "/subscriptions", "read"],
  putSubscription: ["PUT", "/subscriptions/:key", "admin"],
  deleteSubscription: ["DELETE", "/subscriptions/:key", "admin"],
  listChanges: ["GET", "/subscriptions/:key/changes", "read"],
  listRecentChanges: ["GET", "/subscriptions/:key/changes/recent", "read"],
  readBacklog: ["GET", "/subscriptions/:key/backlog", "read"],
  listParked: ["GET", "/subscriptions/:key/parked", "read"],
  retryChange: ["POST", "/subscriptions/:key/parked/:changeId/retry", "write"],
  dropChange: ["POST", "/subscriptions/:key/parked/:changeId/drop", "write"],
  resumeSubscription: ["POST", "/subscriptions/:key/resume", "admin"],
  getOwnApiKey: ["GET", "/key", "read"],
  listApiKeys: ["GET", "/api-keys", "admin"],
  createApiKey: ["POST", "/api-keys", "admin"],
  revokeApiKey: ["DELETE", "/api-keys/:id", "admin"],
} as const;

export type RouteName = keyof typeof table;

/** A line of the table. */
export interface Line {
  name: RouteName;
  method: Method;
  /** Relative to the base path, in itty-router's syntax. */
  path: string;
  /** The access that the API key needs. */
  access: Access;
}

export function at(name: RouteName): Line {
  const [method, path, access]: readonly [Method, string, Access] = table[name];
  return { name, method, path, access };
}
