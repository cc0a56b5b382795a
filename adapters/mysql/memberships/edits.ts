/** Evaluates the watched audiences of the contacts that a transaction writes. */
import type { ContactData } from "../../../lib/decisions/conditions.ts";
import { createWatcher, type MembershipWrite, type Names, type Watcher } from "../../../lib/decisions/watches.ts";
import type { ChangeDraft } from "../../../lib/storage/change-rows.ts";
import type { ContactRow, Silenceable } from "../../../lib/storage/rows.ts";
import { membershipStatements as sql, id, toWatch, watchStatements, type Membership } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";
import { readContacts } from "./contact-data.ts";

/** A write of one contact. */
export interface ContactEdit {
  contactId: string;
  /** `null` touches all rules. */
  names: Names | null;
  /** The row before the write; `null` if the contact is created, absent if it must be read. */
  before?: ContactRow | null;
  /** The data after the write; `null` if it changes nothing. `data` is `null` if the contact is created. */
  apply(data: ContactData | null): ContactData | null;
  at: number;
}

type Write = { workspace: string } & Silenceable;

export const noData: Omit<ContactData, "row"> = { summaries: new Map(), completions: [] };

interface TouchingEdit extends ContactEdit {
  workspace: string;
  isSilent: boolean;
  watchers: Watcher[];
}

/** The writes of a transaction. */
export interface Edits {
  add(write: Write, edit: ContactEdit): void;
  read(this: void): Promise<void>;
  /** Stores the memberships that the writes change, and hands their changes to `log`. */
  flush(): Promise<void>;
}

export function createEdits(work: Work, log: (workspace: string, change: ChangeDraft) => void): Edits {
  let added: (Write & { edit: ContactEdit })[] = [];
  let touching: TouchingEdit[] = [];
  let data = new Map<string, ContactData>();
  let stored = new Set<string>();

  /** Reads in the transaction, after the locks, so that a first pass and an evaluation of a contact see each other. */
  async function read(): Promise<void> {
    if (added.length === 0) return;
    const workspaces = [...new Set(added.map(({ workspace }) => workspace))];
    const watchers = (await work.rows(watchStatements.listWatches(workspaces))).map(toWatch).map(createWatcher);
    for (const { workspace, notify, edit } of added) {
      const touched = watchers.filter(
        ({ watch, isTouched }) => watch.workspace === workspace && isTouched(edit.contactId, edit.names),
      );
      const isSilent = notify === false;
      if (touched.length > 0) touching.push({ ...edit, workspace, isSilent, watchers: touched });
    }
    added = [];
    if (touching.length === 0) return;
    data = await readContacts(work, touching);
    const pairs = touching.flatMap((edit) =>
      edit.watchers.map(({ watch }) => ({ watchId: watch.id, contactId: edit.contactId })),
    );
    const rows = await work.rows(sql.findMemberships(distinct(pairs)));
    stored = new Set(rows.map((row) => nameOf({ watchId: id(row.watch_id), contactId: id(row.contact_id) })));
  }

  function evaluate(): Map<string, MembershipWrite & { workspace: string; changes: ChangeDraft[] }> {
    const writes: ReturnType<typeof evaluate> = new Map();
    for (const edit of touching) {
      const { contactId, names, at, isSilent, workspace } = edit;
      const before = data.get(contactId) ?? null;
      const after = edit.apply(before);
      if (after === null) continue;
      data.set(contactId, after);
      for (const watcher of edit.watchers) {
        const name = nameOf({ watchId: watcher.watch.id, contactId });
        const earlier = writes.get(name);
        const wasMember = earlier?.isMember ?? stored.has(name);
        const write = watcher.evaluate({ names, before, after, isSilent, at }, wasMember);
        if (!write) continue;
        const changes = [...(earlier?.changes ?? []), ...(write.change ? [write.change] : [])];
        writes.set(name, { ...write, workspace, changes });
      }
    }
    return writes;
  }

  return {
    add: (write, edit) => void added.push({ ...write, edit }),
    read,
    async flush() {
      await read();
      if (touching.length === 0) return;
      const writes = [...evaluate().values()];
      const kept = await store(
        work,
        writes.filter((write) => write.isMember !== stored.has(nameOf(write))),
      );
      for (const write of writes) {
        if (write.isMember !== stored.has(nameOf(write)) && !kept.has(write)) continue;
        for (const change of write.changes) log(write.workspace, change);
      }
      touching = [];
    },
  };
}

/** Resolves with the writes that have changed a row. A caller's transaction may have read an old snapshot. */
async function store<Changed extends MembershipWrite>(work: Work, writes: readonly Changed[]): Promise<Set<Changed>> {
  const kept = new Set<Changed>();
  for (const isMember of [true, false]) {
    const alike = writes.filter((write) => write.isMember === isMember);
    const parts = work.waits ? alike.map((write) => [write]) : alike.length > 0 ? [alike] : [];
    for (const part of parts) {
      const written = await work.write(isMember ? sql.insertMemberships(part) : sql.deleteMemberships(part));
      if (written > 0) for (const write of part) kept.add(write);
    }
  }
  return kept;
}

function distinct(pairs: readonly Membership[]): Membership[] {
  return [...new Map(pairs.map((pair) => [nameOf(pair), pair])).values()];
}

function nameOf({ watchId, contactId }: Membership): string {
  return `${watchId} ${contactId}`;
}
