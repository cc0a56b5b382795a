import { findAttributesOf } from "../definitions/attributes.ts";
import { findChecklistKeys, findCompletionsByHand, type CompletionByHand } from "../checklists/index.ts";
import { findDismissed, type DismissedChecklist } from "../checklists/dismissals.ts";
import { showContact } from "../contacts/index.ts";
import { createTurns } from "../bulk/turns.ts";
import { TrackerError } from "../model/errors.ts";
import { showEvent } from "../events/index.ts";
import { parseExternalId } from "../input/structs.ts";
import { pageLimitMax, pageMaxBytes } from "../model/limits.ts";
import type { Scope } from "../scope.ts";
import type { EventRow, PageRows, Position } from "../storage/rows.ts";
import { formatTime } from "../model/times.ts";
import type { CompletedChecklistItem, Contact, ObservedEvents, Scalar, StoredEvent } from "../model/types.ts";

/** Everything that is kept about one contact, in the answer of `contacts.export`. */
export interface ContactExport<CustomAttributes = Record<string, Scalar>> {
  contact: Contact<CustomAttributes>;
  /** Newest first, each with the checklist items that it completed when it was recorded. */
  events: (StoredEvent & { completedChecklistItems: CompletedChecklistItem[] })[];
  /** The counts of the events by event key. Audiences and checklists are computed from them. */
  eventSummaries: (ObservedEvents & { eventKey: string })[];
  completions: CompletionByHand[];
  dismissals: DismissedChecklist[];
}

/** Throws `export_too_large` if the JSON of the export has more than `maxBytes`. */
export async function exportContact(
  scope: Scope,
  identifier: unknown,
  maxBytes: number = Infinity,
): Promise<ContactExport> {
  const externalId = parseExternalId(identifier);
  const { storage, workspace } = scope;
  const row = await storage.findContact(workspace, { externalId });
  if (!row) throw new TrackerError("contact_not_found");
  const summaries = await storage.findSummaries(workspace, row.id);
  const checklistKeys = await findChecklistKeys(scope);
  const contact = showContact(row, await findAttributesOf(scope, [row]));
  const rest = {
    eventSummaries: summaries.map(({ eventKey, count, firstAt, lastAt }) => {
      return { eventKey, count, firstAt: formatTime(firstAt), lastAt: formatTime(lastAt) };
    }),
    completions: await findCompletionsByHand(scope, row.id, checklistKeys),
    dismissals: await findDismissed(scope, row.id, checklistKeys),
  };
  const turns = createTurns();
  let left = maxBytes;
  const count = (part: object): Promise<void> | undefined => {
    const bytes = Buffer.byteLength(JSON.stringify(part)) + 1;
    left -= bytes;
    if (left < 0) throw new TrackerError("export_too_large");
    return turns(bytes);
  };
  await count({ contact, events: [], ...rest });
  return { contact, events: await findEvents(scope, externalId, count), ...rest };
}

/** Calls `count` with each event, and awaits it. */
async function findEvents(
  { storage, workspace }: Scope,
  externalId: string,
  count: (event: object) => Promise<void> | undefined,
): Promise<ContactExport["events"]> {
  const events: ContactExport["events"] = [];
  let after: Position | undefined;
  do {
    const slice = { limit: pageLimitMax, maxBytes: pageMaxBytes, after: after ?? null };
    const page: PageRows<EventRow> | null = await storage.listEvents(workspace, externalId, null, slice);
    if (!page) throw new TrackerError("contact_not_found");
    for (const row of page.rows) {
      const completedChecklistItems = JSON.parse(row.completedItems ?? "[]") as CompletedChecklistItem[];
      const event = { ...showEvent(row), completedChecklistItems };
      events.push(event);
      await count(event);
    }
    after = page.more ? page.rows.at(-1) : undefined;
  } while (after);
  return events;
}
