import { checklistProgress, completeByHand, countCompletedItems } from "../../checklists/index.ts";
import { dismissChecklist, restoreChecklist } from "../../checklists/dismissals.ts";
import { ok } from "../statuses.ts";
import type { Route } from "./route.ts";
import { at } from "./table.ts";

export const checklistRoutes: readonly Route[] = [
  {
    ...at("countCompletedItems"),
    query: {},
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
    ...at("getProgress"),
    query: {},
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
    ...at("completeItem"),
    query: {},
    summary: "Complete a checklist item by hand. Completing it again changes nothing.",
    successes: [ok],
    output: { checklist: "ChecklistProgress" },
    refusals: ["contact_not_found", "definition_not_found"],
    async run({ scope, parameters: { externalId, checklistKey, itemKey } }) {
      return { status: ok, body: { checklist: await completeByHand(scope, externalId, checklistKey, itemKey) } };
    },
  },
  {
    ...at("dismissChecklist"),
    query: {},
    summary: "Store that a contact does not want to see a checklist. Dismissing it again changes nothing.",
    successes: [ok],
    output: { checklist: "ChecklistProgress" },
    refusals: ["contact_not_found", "definition_not_found"],
    async run({ scope, parameters: { externalId, checklistKey } }) {
      return { status: ok, body: { checklist: await dismissChecklist(scope, externalId, checklistKey) } };
    },
  },
  {
    ...at("restoreChecklist"),
    query: {},
    summary: "Take the dismissal of a checklist back.",
    successes: [ok],
    output: { checklist: "ChecklistProgress" },
    refusals: ["contact_not_found", "definition_not_found"],
    async run({ scope, parameters: { externalId, checklistKey } }) {
      return { status: ok, body: { checklist: await restoreChecklist(scope, externalId, checklistKey) } };
    },
  },
];
