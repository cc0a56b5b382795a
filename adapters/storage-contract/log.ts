/** Reads the log for its tests. They log all that waits before they read, as a storage may log a change later. */
import type { ChangeRow } from "../../lib/storage/changes.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { SubscriptionRow } from "../../lib/storage/rows.ts";
import { accepted } from "./calls.ts";
import { subscriptionDraft, workspace, rowsUpTo } from "./drafts.ts";

/** Creates the subscription of the tests. */
export async function subscribe(
  storage: Storage,
  parts: Parameters<typeof subscriptionDraft>[0] = {},
): Promise<SubscriptionRow> {
  return accepted(await storage.putDefinition(subscriptionDraft(parts))) as SubscriptionRow;
}

/** Logs all changes that wait. */
export async function logAll(storage: Storage): Promise<void> {
  while ((await storage.logChanges()).more);
}

/** All changes of the subscription after the position, read in pages of `limit`. */
export async function readAll(
  storage: Storage,
  { key = "all", after = null, limit = 100 }: { key?: string; after?: number | null; limit?: number } = {},
): Promise<{ changes: ChangeRow[]; position: number }> {
  await logAll(storage);
  const changes: ChangeRow[] = [];
  let from = after;
  for (;;) {
    const page = accepted(await storage.listChanges(workspace, key, from, rowsUpTo(limit)));
    changes.push(...page.rows);
    from = page.position;
    if (!page.more) return { changes, position: page.position };
  }
}

/** The kind of each change, with what it is about. */
export async function told(storage: Storage, options: Parameters<typeof readAll>[1] = {}): Promise<string[]> {
  return (await readAll(storage, options)).changes.map((change) => {
    if (change.kind === "event_recorded") return `${change.kind} ${change.event.eventKey}`;
    if (change.kind === "item_completed") return `${change.kind} ${change.item.itemKey}`;
    return change.kind === "checklist_completed" ? `${change.kind} ${change.checklistKey}` : change.kind;
  });
}
