/** The first passes of watches, and the removal of watches that have ended. */
import { createWatcher, moveFirst, positionAt, type Watcher } from "../../../lib/decisions/watches.ts";
import { listMemberIds, listNextIds } from "../audiences/index.ts";
import { lockFree } from "../contacts/index.ts";
import { contactsBegunAtOnce, membershipsRemovedAtOnce } from "../limits.ts";
import {
  contactStatements,
  id,
  membershipStatements,
  outboxStatements,
  toChangeTableRow,
  toContact,
  toWatch,
  watchStatements as sql,
  type Row,
} from "../sql/index.ts";
import { writeOne, type OwnRunner, type Work } from "../transactions/index.ts";

/** Runs a step of the first watch that can go on. Resolves with whether there was one. */
export async function beginWatches(runner: OwnRunner, now: number): Promise<boolean> {
  const unready = await runner.read((work) => work.rows(sql.listUnready));
  return moveFirst(unready, (row) => writeOne(runner, null, (work) => step(work, id(row.id), now)));
}

async function step(work: Work, watchId: string, now: number): Promise<boolean> {
  const [row]: (Row | undefined)[] = await work.rows(sql.lockWatch(watchId));
  if (!row) return false;
  if (Number(row.has_ended) === 1) return remove(work, watchId);
  const watch = toWatch(row);
  if (watch.readyAt !== null) return false;
  const clock = Math.max(watch.clock, now);
  const { workspace, position: after } = watch;
  const ids = await listNextIds(work, workspace, after, contactsBegunAtOnce);
  const reached = await lockBeginning(work, ids);
  if (reached.length < ids.length && reached.length === 0) return false;
  const last = reached.at(-1);
  const position = last === undefined ? after : positionAt(last);
  if (reached.length > 0) {
    const watcher = createWatcher({ ...watch, clock });
    const members = await listMemberIds(work, workspace, watcher.condition(), { after, upTo: position });
    const locked = new Set(reached);
    // Leaves out contacts that were created since: a later step of the pass finds them, or a sweep.
    const found = members.filter((contactId) => locked.has(contactId));
    const pairs = found.map((contactId) => ({ watchId, contactId }));
    if (pairs.length > 0) await work.write(membershipStatements.insertMemberships(pairs));
    if (pairs.length > 0 && watch.watched.announces) await announce(work, watcher, found, now);
  }
  const isEnd = ids.length < contactsBegunAtOnce && reached.length === ids.length;
  await work.write(sql.moveWatch(watchId, clock, isEnd ? null : position));
  return true;
}

/** Writes the changes of the members, which are locked. */
async function announce(work: Work, watcher: Watcher, members: readonly string[], now: number): Promise<void> {
  // A read with a lock returns the members as they are now.
  const rows = await work.rows(contactStatements.findContactsById(members, "FOR UPDATE"));
  const { workspace } = watcher.watch;
  const changes = rows.map(toContact).flatMap((contact) => watcher.announce(contact, now));
  const added = changes.map((change) => toChangeTableRow(workspace, change));
  await work.writeLater(outboxStatements.insertChanges(added, null));
  work.announce(workspace);
}

/** Locks the contacts up to the first that another transaction has locked. */
async function lockBeginning(work: Work, ids: readonly string[]): Promise<readonly string[]> {
  const locked = await lockFree(work, ids);
  const missed = ids.findIndex((contactId) => !locked.has(contactId));
  return missed === -1 ? ids : ids.slice(0, missed);
}

/** Removes some memberships of a watch that has ended, and then the watch. */
async function remove(work: Work, watchId: string): Promise<boolean> {
  const removed = await work.write(membershipStatements.deleteMembers(watchId, membershipsRemovedAtOnce));
  if (removed < membershipsRemovedAtOnce) await work.write(sql.deleteWatch(watchId));
  return true;
}
