import { isTaken } from "../../../lib/decisions/changes.ts";
import type { Names } from "../../../lib/decisions/watches.ts";
import type { ChangeDraft } from "../../../lib/storage/changes.ts";
import type { SubscriptionRow } from "../../../lib/storage/rows.ts";
import type { WatchRow } from "../../../lib/storage/watches.ts";
import { listSubscriptions } from "../definitions/index.ts";
import { readMarks, type Work } from "../transactions/index.ts";
import { inParts } from "../parts.ts";
import { outboxStatements as sql, toChangeTableRow, type ChangeTableRow } from "../sql/index.ts";
import { createEdits, type ContactEdit } from "../watches/index.ts";
import { clocksOf, workspacesOf, type Known, type Subscriptions, type Write } from "./known.ts";

/** Collects the changes of one transaction. */
export interface Outbox {
  /** Adds the changes of a write that a subscription takes. Calls `make` only if there is a subscription. */
  add(write: Write, make: () => ChangeDraft[]): void;
  /** Adds the deletion of a contact. A pass will remove the contact's other changes, which may be of earlier subscriptions. */
  addDeletion(write: Write, deletion: ChangeDraft): void;
  /** Adds a write that may change who is in a watched audience. Must be called before the write, in the order of the writes. */
  edit(write: Write, edit: ContactEdit): void;
  /** Reads the data of the contacts that were added since the last flush. Must be called before their rows are written. */
  readEdited(): Promise<void>;
  /** Whether the workspace of the write is marked as deleted. */
  isDeleted(write: Write): boolean;
  /** The times of the database's clock at which the marks of deleted workspaces were read. */
  clocks: readonly number[];
  /** Whether a subscription takes completed items and checklists. */
  takesChecklists(write: Write): boolean;
  /** Evaluates the watched audiences, and inserts the changes. The caller has locked their contacts. */
  flush(): Promise<void>;
}

/** Reads the subscriptions if `found` is `null`. */
export async function openOutbox(work: Work, writes: readonly Write[], found: Subscriptions | null): Promise<Outbox> {
  const subscriptions = found ?? (await readLocked(work, writes));
  let added: ChangeTableRow[] = [];
  let deletedId: string | null = null;
  const add: Outbox["add"] = (write, make) => {
    const listed = subscriptionsOf(subscriptions, write);
    if (listed.length === 0) return;
    for (const change of make()) {
      if (listed.some(({ body }) => isTaken(body.on, change))) added.push(toChangeTableRow(write.workspace, change));
    }
  };
  const isKnown = ({ workspace, audienceKey, watched: { own } }: WatchRow): boolean => {
    const change = { kind: "audience_entered" as const, audienceKey, ...(own !== undefined && { own }) };
    return subscriptions.get(workspace)?.rows.some(({ body }) => isTaken(body.on, change)) ?? false;
  };
  const edits = createEdits(work, isKnown, (workspace, change) => add({ workspace }, () => [change]));

  return {
    add,
    edit(write, edit) {
      if (mayTouch(subscriptions, write, edit.names)) edits.add(write, edit);
    },
    readEdited: edits.read,
    addDeletion(write, deletion) {
      deletedId = deletion.contact.id;
      add(write, () => [deletion]);
    },
    isDeleted: ({ workspace }) => subscriptions.get(workspace)?.isDeleted ?? false,
    clocks: clocksOf(subscriptions),
    takesChecklists: (write) => subscriptionsOf(subscriptions, write).some(({ body }) => body.on.checklists),
    async flush() {
      await edits.flush();
      const parts = deletedId !== null && added.length === 0 ? [[]] : inParts(added, ({ body }) => body.length);
      for (const rows of parts) await work.writeLater(sql.insertChanges(rows, deletedId));
      for (const { workspace } of added) work.announce(workspace);
      added = [];
      deletedId = null;
    },
  };
}

/** Returns the subscriptions for a try. After a try with stale marks, the transaction reads them again. */
export async function currentOf(
  work: Work,
  writes: readonly Write[],
  found: Subscriptions | null,
): Promise<Subscriptions | null> {
  return work.staleMarks ? readLocked(work, writes) : found;
}

/** Whether no subscription takes the change of the write, and no watched audience depends on it. */
export function causesNothing(
  subscriptions: Subscriptions,
  write: Write,
  change: Parameters<typeof isTaken>[1],
  names: Names | null,
): boolean {
  const isTakenBy = ({ body }: SubscriptionRow): boolean => isTaken(body.on, change);
  return !subscriptionsOf(subscriptions, write).some(isTakenBy) && !mayTouch(subscriptions, write, names);
}

function subscriptionsOf(subscriptions: Subscriptions, { workspace, notify }: Write): readonly SubscriptionRow[] {
  return notify === false ? [] : (subscriptions.get(workspace)?.rows ?? []);
}

/** Whether the write may change the result of a watched rule. If no write does, the transaction reads no watches. */
function mayTouch(subscriptions: Subscriptions, { workspace }: Write, names: Names | null): boolean {
  const { rows, watchers } = subscriptions.get(workspace) ?? { rows: [], watchers: [] };
  return watchers ? watchers.some((watcher) => watcher.tests(names)) : rows.some(({ body }) => body.on.audiences);
}

/** Reads the subscriptions with a lock, because the snapshot of a caller's transaction may be old. */
async function readLocked(work: Work, writes: readonly Write[]): Promise<Subscriptions> {
  const lists = await listSubscriptions(work, workspacesOf(writes), "LOCK IN SHARE MODE");
  const { deleted, clock } = await readMarks(work, [...lists.keys()], work.waits ? "LOCK IN SHARE MODE" : "");
  const known = Array.from(lists, ([workspace, rows]): [string, Known] => [
    workspace,
    { rows, watchers: null, isDeleted: deleted.has(workspace), clock },
  ]);
  return new Map(known);
}
