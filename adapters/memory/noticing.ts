/** Evaluates watched audiences for a contact that was written, or that a sweep has found. */
import type { ContactData } from "../../lib/decisions/conditions.ts";
import { createWatcher, type Edit } from "../../lib/decisions/watches.ts";
import type { Silenceable } from "../../lib/storage/rows.ts";
import type { DefinitionsOf } from "./definitions.ts";
import { logChanges } from "./subscriptions.ts";
import type { Tables } from "./tables.ts";

/** A write of a contact. */
type Write = { workspace: string } & Silenceable;

/** The data of the contact as it is now. A copy, unless no audience is watched. */
export function dataOf({ watches, edit }: Tables, contactId: string): ContactData {
  const { row, summaries, completions } = edit(contactId);
  if (watches.length === 0) return { row, summaries, completions };
  return { row, summaries: structuredClone(summaries), completions: [...completions] };
}

/**
 * Stores the memberships that the edit changes, and logs their changes. A sweep edits nothing, and touches all rules. The caller has
 * claimed the contact.
 */
export function noticeEdit(
  tables: Tables,
  { workspace, notify }: Write,
  definitions: DefinitionsOf,
  edited: Omit<Edit, "isSilent">,
): void {
  const contactId = edited.after.row.id;
  for (const watcher of tables.watches.map(createWatcher)) {
    if (!watcher.isTouched(contactId, edited.names)) continue;
    const { watches } = tables.edit(contactId);
    const changed = watcher.evaluate({ ...edited, isSilent: notify === false }, watches.has(watcher.watch.id));
    if (!changed) continue;
    if (changed.isMember) watches.add(changed.watchId);
    else watches.delete(changed.watchId);
    logChanges(tables, { workspace }, definitions, () => (changed.change ? [changed.change] : []));
  }
}
