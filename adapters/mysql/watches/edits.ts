/** Evaluates the watched audiences of the contacts that a transaction writes. */
import type { ContactData } from "../../../lib/decisions/conditions.ts";
import { createWatcher, type Edit, type MembershipWrite, type Watcher } from "../../../lib/decisions/watches.ts";
import type { ChangeDraft } from "../../../lib/storage/changes.ts";
import type { WatchRow } from "../../../lib/storage/watches.ts";
import { membershipStatements as sql, id, toWatch, watchStatements, type Membership } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";
import { readContacts, type ContactEdit, type Touching } from "./contact-data.ts";

export const noData: Omit<ContactData, "row"> = {
  summaries: new Map(),
  completions: [],
  countEvents: () => 0,
};

/** A watch whose rule may have another result after a write. */
interface Outcome {
  workspace: string;
  watcher: Watcher;
  edit: Edit;
  isMember: boolean;
}

/** The writes of a transaction. */
export interface Edits {
  add(write: Touching["write"], edit: ContactEdit): void;
  read(this: void): Promise<void>;
  /** Stores the memberships that the writes change, and passes the changes for subscriptions to `log`. */
  flush(): Promise<void>;
}

/**
 * `isKnown` returns whether a known subscription takes the changes of a watch. Other watches are left to a sweep: an evaluation
 * would store their memberships and drop their changes.
 */
export function createEdits(
  work: Work,
  isKnown: (watch: WatchRow) => boolean,
  log: (workspace: string, change: ChangeDraft) => void,
): Edits {
  let added: Pick<Touching, "write" | "edit">[] = [];
  let touching: Touching[] = [];
  let data = new Map<string, ContactData>();

  /** Reads in the transaction, after the locks, so that a first pass and an evaluation of a contact see each other. */
  async function read(): Promise<void> {
    if (added.length === 0) return;
    const workspaces = [...new Set(added.map(({ write }) => write.workspace))];
    const watches = (await work.rows(watchStatements.listWatches(workspaces))).map(toWatch);
    const watchers = watches.filter(isKnown).map(createWatcher);
    for (const { write, edit } of added) {
      const touched = watchers.filter(
        ({ watch, isTouched }) => watch.workspace === write.workspace && isTouched(edit.contactId, edit.names),
      );
      if (touched.length > 0) touching.push({ write, edit, watchers: touched });
    }
    added = [];
    data = await readContacts(work, touching);
  }

  function evaluate(): Outcome[] {
    const outcomes: Outcome[] = [];
    for (const { write, edit: given, watchers } of touching) {
      const { contactId, names, at } = given;
      const before = data.get(contactId) ?? null;
      const after = given.apply(before);
      if (after === null) continue;
      data.set(contactId, after);
      const edit = { names, before: names && before, after, isSilent: write.notify === false, at };
      for (const watcher of watchers) {
        const isMember = watcher.resultOf(edit);
        if (isMember !== null) outcomes.push({ workspace: write.workspace, watcher, edit, isMember });
      }
    }
    touching = [];
    return outcomes;
  }

  return {
    add: (write, edit) => void added.push({ write, edit }),
    read,
    async flush() {
      await read();
      const outcomes = evaluate();
      if (outcomes.length > 0)
        for (const { workspace, change } of await storeOutcomes(work, outcomes)) log(workspace, change);
    },
  };
}

/** Stores the last membership of each watch and contact. Resolves with the changes of all outcomes, in order. */
async function storeOutcomes(
  work: Work,
  outcomes: readonly Outcome[],
): Promise<{ workspace: string; change: ChangeDraft }[]> {
  const pairs = new Map(outcomes.map((outcome) => [nameOf(pairOf(outcome)), pairOf(outcome)]));
  const rows = await work.rows(sql.findMemberships([...pairs.values()]));
  const stored = new Set(rows.map((row) => nameOf({ watchId: id(row.watch_id), contactId: id(row.contact_id) })));
  const members = new Set(stored);
  const writes = new Map<string, MembershipWrite>();
  const changes: { workspace: string; name: string; change: ChangeDraft }[] = [];
  for (const { workspace, watcher, edit, isMember } of outcomes) {
    const write = watcher.toWrite(edit, isMember);
    const name = nameOf(write);
    if (members.has(name) === isMember) continue;
    if (isMember) members.add(name);
    else members.delete(name);
    writes.set(name, write);
    if (write.change) changes.push({ workspace, name, change: write.change });
  }
  const differing = [...writes].filter(([name, { isMember }]) => isMember !== stored.has(name));
  const lost = await store(
    work,
    differing.map(([, write]) => write),
  );
  return changes.filter(({ name }) => !lost.has(name));
}

function pairOf({ watcher, edit }: Outcome): Membership {
  return { watchId: watcher.watch.id, contactId: edit.after.row.id };
}

/** Resolves with the names of memberships that others have written. A caller's transaction may have read an old snapshot. */
async function store(work: Work, writes: readonly MembershipWrite[]): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const isMember of [true, false]) {
    const alike = writes.filter((write) => write.isMember === isMember);
    const parts = work.waits ? alike.map((write) => [write]) : alike.length > 0 ? [alike] : [];
    for (const part of parts) {
      const written = await work.write(isMember ? sql.insertMemberships(part) : sql.deleteMemberships(part));
      if (written === 0) for (const write of part) lost.add(nameOf(write));
    }
  }
  return lost;
}

function nameOf({ watchId, contactId }: Membership): string {
  return `${watchId} ${contactId}`;
}
