/** Evaluates watched audiences for a contact that was written, or that a sweep has found. */
import type { ContactData } from "../../lib/decisions/conditions.ts";
import { createWatcher, type Edit, type Watcher } from "../../lib/decisions/watches.ts";
import type { Silenceable } from "../../lib/storage/rows.ts";
import type { DefinitionsOf } from "./definitions.ts";
import { logChanges } from "./subscriptions.ts";
import type { Tables } from "./tables.ts";

/** A write of a contact. `notify: false` makes it silent. */
type Write = { workspace: string } & Silenceable;

/** The data of the contact as it is now. A copy, unless no audience is watched. */
export function dataOf({ watches, edit }: Tables, contactId: string): ContactData {
  const { row, summaries, completions } = edit(contactId);
  if (watches.length === 0) return { row, summaries, completions };
  return { row, summaries: structuredClone(summaries), completions: [...completions] };
}

/** Stores the memberships that the edit changes, and logs their changes. The caller has claimed the contact. */
export function noticeEdit(
  tables: Tables,
  write: Write,
  definitions: DefinitionsOf,
  edited: Omit<Edit, "isSilent">,
): void {
  if (tables.watches.length === 0) return;
  const touched = tables.watches
    .map(createWatcher)
    .filter((watcher) => watcher.isTouched(edited.after.row.id, edited.names));
  evaluate(tables, write, definitions, touched, { ...edited, isSilent: write.notify === false });
}

/** Evaluates the contact for the watches, whether they are touched or not. */
export function evaluate(
  tables: Tables,
  { workspace }: Pick<Write, "workspace">,
  definitions: DefinitionsOf,
  watchers: readonly Watcher[],
  edit: Edit,
): void {
  for (const watcher of watchers) {
    const { watches } = tables.edit(edit.after.row.id);
    const changed = watcher.evaluate(edit, watches.has(watcher.watch.id));
    if (!changed) continue;
    if (changed.isMember) watches.add(changed.watchId);
    else watches.delete(changed.watchId);
    logChanges(tables, { workspace }, definitions, () => (changed.change ? [changed.change] : []));
  }
}
