/** Evaluates watched audiences for a contact that was written, or that a sweep has found. */
import type { ContactData } from "../../../lib/decisions/conditions.ts";
import { summarizeEvents } from "../../../lib/decisions/events.ts";
import { createWatcher, type Edit, type Names } from "../../../lib/decisions/watches.ts";
import type { Silenceable } from "../../../lib/storage/rows.ts";
import { logChanges } from "../log.ts";
import type { ContactRecord, Tables } from "../tables.ts";

/** The data of the contact as it is now: a copy, unless no audience is watched. `countEvents` counts the events at its call. */
export function dataOf({ watches }: Tables, { row, summaries, completions, events }: ContactRecord): ContactData {
  const countEvents: ContactData["countEvents"] = (test) => summarizeEvents(events, test)?.count ?? 0;
  if (watches.length === 0) return { row, summaries, completions, countEvents };
  return { row, summaries: structuredClone(summaries), completions: [...completions], countEvents };
}

/** Refuses a write that touches a watched rule of a later version. Called before the write, which nothing undoes. */
export function assertKnownRules({ watches }: Tables, contactId: string, names: Names | null): void {
  for (const watcher of watches.map(createWatcher)) if (watcher.isTouched(contactId, names)) watcher.condition();
}

/**
 * Stores the memberships that an edit changes, and logs their changes. The caller has claimed the contact. Calls `make` only if
 * there is a watched audience.
 */
export function noticeEdit(tables: Tables, { notify }: Silenceable, make: () => Omit<Edit, "isSilent">): void {
  if (tables.watches.length === 0) return;
  const edit = { ...make(), isSilent: notify === false };
  const contactId = edit.after.row.id;
  for (const watcher of tables.watches.map(createWatcher)) {
    if (!watcher.isTouched(contactId, edit.names)) continue;
    const { watches } = tables.edit(contactId);
    const isMember = watcher.resultOf(edit);
    if (isMember === null || isMember === watches.has(watcher.watch.id)) continue;
    const changed = watcher.toWrite(edit, isMember);
    if (isMember) watches.add(changed.watchId);
    else watches.delete(changed.watchId);
    logChanges(tables, {}, () => (changed.change ? [changed.change] : []));
  }
}
