import { checklistProgress, completeByHand, countCompletedItems } from "../../checklists/index.ts";
import { dismissChecklist, restoreChecklist } from "../../checklists/dismissals.ts";
import { route, type Route } from "./route.ts";

export const checklistRoutes: readonly Route[] = [
  route("countCompletedItems", {
    query: { days: "number", hours: "number", minutes: "number", from: "text", to: "text" },
    summary: "Count the contacts that completed each item of a checklist; with a period, of those that began it then.",
    output: "ItemCounts",
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key }, query }) =>
      countCompletedItems(scope, key, Object.keys(query).length > 0 ? query : undefined),
  }),
  route("getProgress", {
    summary: "Get a contact's progress through every checklist.",
    output: "ChecklistProgressList",
    refusals: ["contact_not_found"],
    call: ({ scope, parameters: { externalId } }) => checklistProgress(scope, externalId),
  }),
  route("completeItem", {
    summary: "Complete a checklist item by hand. Completing it again changes nothing.",
    output: "ChecklistProgress",
    refusals: ["contact_not_found", "definition_not_found"],
    call: ({ scope, parameters: { externalId, checklistKey, itemKey } }) =>
      completeByHand(scope, externalId, checklistKey, itemKey),
  }),
  route("dismissChecklist", {
    summary: "Store that a contact does not want to see a checklist. Dismissing it again changes nothing.",
    output: "ChecklistProgress",
    refusals: ["contact_not_found", "definition_not_found"],
    call: ({ scope, parameters: { externalId, checklistKey } }) => dismissChecklist(scope, externalId, checklistKey),
  }),
  route("restoreChecklist", {
    summary: "Take the dismissal of a checklist back.",
    output: "ChecklistProgress",
    refusals: ["contact_not_found", "definition_not_found"],
    call: ({ scope, parameters: { externalId, checklistKey } }) => restoreChecklist(scope, externalId, checklistKey),
  }),
];
