import { findChecklist, findShown } from "./index.ts";
import { progressOf } from "../decisions/completions.ts";
import { refusedAfresh } from "../definitions/index.ts";
import { checklistOfContactStruct } from "../input/definition-structs.ts";
import { parse } from "../input/shapes.ts";
import { TrackerError } from "../model/errors.ts";
import { formatTime } from "../model/times.ts";
import type { ChecklistProgress } from "../model/types.ts";
import type { Scope } from "../scope.ts";

/** A checklist that a contact dismissed. */
export interface DismissedChecklist {
  checklistKey: string;
  dismissedAt: string;
}

export function dismissChecklist(scope: Scope, externalId: unknown, checklistKey: unknown): Promise<ChecklistProgress> {
  return putDismissal(scope, { externalId, checklistKey }, scope.now());
}

export function restoreChecklist(scope: Scope, externalId: unknown, checklistKey: unknown): Promise<ChecklistProgress> {
  return putDismissal(scope, { externalId, checklistKey }, null);
}

async function putDismissal(scope: Scope, input: object, dismissedAt: number | null): Promise<ChecklistProgress> {
  const { externalId, checklistKey } = parse(input, checklistOfContactStruct);
  const { storage, workspace } = scope;
  const checklist = await refusedAfresh((options) => findChecklist(scope, checklistKey, options));
  const draft = { workspace, externalId, checklistId: checklist.id, dismissedAt };
  if (!(await storage.putDismissal(draft))) throw new TrackerError("contact_not_found");
  return progressOf(checklist, await findShown(scope, externalId));
}

/** The checklists that the contact dismissed, without those that were deleted. */
export async function findDismissed(
  { storage, workspace }: Scope,
  contactId: string,
  checklistKeys: ReadonlyMap<string, string>,
): Promise<DismissedChecklist[]> {
  const dismissals = await storage.findDismissals(workspace, contactId);
  return dismissals.flatMap(({ checklistId, dismissedAt }) => {
    const checklistKey = checklistKeys.get(checklistId);
    return checklistKey === undefined ? [] : { checklistKey, dismissedAt: formatTime(dismissedAt) };
  });
}
