import { checklistProgress, completeByHand, countCompletedItems } from "../../checklists/index.ts";
import { dismissChecklist, restoreChecklist } from "../../checklists/dismissals.ts";
import { ok } from "../statuses.ts";
import type { Route } from "./route.ts";

export const checklistRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/checklists/:key/counts",
    access: "read",
    query: {},
    name: "countCompletedItems",
    summary: "Count the contacts that completed each item of a checklist.",
    successes: [ok],
    output: { items: "ItemCounts" },
    refusals: ["definition_not_found"],
    run: async ({ scope, parameters }) => ({
      status: ok,
      body: { items: await countCompletedItems(scope, parameters["key"]) },
    }),
  },
  {
    method: "GET",
    path: "/contacts/:externalId/checklists",
    access: "read",
    query: {},
    name: "getProgress",
    summary: "Get a contact's progress through every checklist.",
    successes: [ok],
    output: { items: "ChecklistProgressList" },
    refusals: ["contact_not_found"],
    run: async ({ scope, parameters }) => ({
      status: ok,
      body: { items: await checklistProgress(scope, parameters["externalId"]) },
    }),
  },
  {
    method: "POST",
    path: "/contacts/:externalId/checklists/:checklistKey/items/:itemKey/complete",
    access: "write",
    query: {},
    name: "completeItem",
    summary: "Complete a checklist item by hand. Completing it again changes nothing.",
    successes: [ok],
    output: { checklist: "ChecklistProgress" },
    refusals: ["contact_not_found", "definition_not_found"],
    async run({ scope, parameters: { externalId, checklistKey, itemKey } }) {
      return { status: ok, body: { checklist: await completeByHand(scope, externalId, checklistKey, itemKey) } };
    },
  },
  {
    method: "POST",
    path: "/contacts/:externalId/checklists/:checklistKey/dismiss",
    access: "write",
    query: {},
    name: "dismissChecklist",
    summary: "Store that a contact does not want to see a checklist. Dismissing it again changes nothing.",
    successes: [ok],
    output: { checklist: "ChecklistProgress" },
    refusals: ["contact_not_found", "definition_not_found"],
    async run({ scope, parameters: { externalId, checklistKey } }) {
      return { status: ok, body: { checklist: await dismissChecklist(scope, externalId, checklistKey) } };
    },
  },
  {
    method: "POST",
    path: "/contacts/:externalId/checklists/:checklistKey/restore",
    access: "write",
    query: {},
    name: "restoreChecklist",
    summary: "Take the dismissal of a checklist back.",
    successes: [ok],
    output: { checklist: "ChecklistProgress" },
    refusals: ["contact_not_found", "definition_not_found"],
    async run({ scope, parameters: { externalId, checklistKey } }) {
      return { status: ok, body: { checklist: await restoreChecklist(scope, externalId, checklistKey) } };
    },
  },
];
