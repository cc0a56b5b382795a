/** The passes, which move changes from the outbox into the log. */
import type { Storage } from "../../../lib/storage/port.ts";
import { changesRemovedAtOnce, passChangesMax, passMaxBytes, passesPerDeletion } from "../limits.ts";
import {
  changeStatements,
  idOrNull,
  outboxStatements as sql,
  subscriptionStatements,
  text,
  failureStatements,
  type Row,
} from "../sql/index.ts";
import { writeOne, type OwnRunner, type Work } from "../transactions/index.ts";

/** A row of the outbox: the changes of one transaction. */
interface OutboxRow {
  id: number;
  changes: number;
  bytes: number;
  /** The contact that the transaction has deleted; `null` if none. */
  deletedId: string | null;
}

type Passed = Awaited<ReturnType<Storage["logChanges"]>>;

/** Calls `count` with the number of changes that each pass has logged. */
export function createPasses(
  runner: OwnRunner,
  count: (logged: number) => void,
): Pick<Storage, "logChanges"> & { removeDeleted(): Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();

  async function passIfAny(): Promise<Passed> {
    const [first] = await runner.read((work) => work.rows(sql.listWaiting(1)));
    if (!first) return { logged: 0, more: false };
    const passed = await writeOne(runner, null, pass);
    count(passed.logged);
    return passed;
  }

  /** Runs one pass after another, so that the passes of this process do not wait for each other's locks. */
  function logChanges(): Promise<Passed> {
    const passed = last.then(passIfAny);
    last = passed.catch(() => {});
    return passed;
  }

  return {
    logChanges,
    /** Runs passes, which remove the changes of deleted contacts. Leaves a large outbox to the workers. */
    async removeDeleted() {
      for (let passes = 0; passes < passesPerDeletion;) {
        const { logged, more } = await logChanges();
        if (!more) return;
        // A pass that logs nothing has removed changes of deleted contacts. It does not count.
        if (logged > 0) passes++;
      }
    },
  };
}

/**
 * Moves the first changes. The lock of the log's end keeps out other passes. All rows are of one snapshot, in order of id. A
 * transaction that saw another's commit has the higher id, so a cause is numbered before its effect. A later commit with a lower
 * id is in the snapshot of a later pass.
 * A deletion comes after all other changes of its contact, which are removed with it.
 */
async function pass(work: Work): Promise<Passed> {
  const [end] = await work.rows(subscriptionStatements.lockEnd);
  const listed = (await work.rows(sql.listWaiting(passChangesMax))).map(toOutboxRow);
  if (!end || listed.length === 0) return { logged: 0, more: false };
  const taken = ofOnePass(listed);
  // After a restore the end is old, and the database's clock may be behind it. A position must not be given out twice.
  let position = Math.max(Number(end.position), Date.now() * 1_000);
  const rows = taken.map(({ id, changes, deletedId }) => ({ id, deletedId, before: (position += changes) - changes }));
  const deletions = rows.flatMap(({ deletedId, before }) => (deletedId ? [{ contactId: deletedId, to: before }] : []));
  if (await removeChangesOf(work, deletions)) return { logged: 0, more: true };
  await work.write(sql.logWaiting(rows));
  await work.write(subscriptionStatements.moveEnd(position));
  await work.write(sql.deleteWaiting(rows.map(({ id }) => id)));
  await removeChangesOf(work, deletions);
  const logged = taken.reduce((sum, { changes }) => sum + changes, 0);
  return { logged, more: taken.length < listed.length || listed.length === passChangesMax };
}

/** The first rows that have no more than `passChangesMax` changes and `passMaxBytes` together: at least one. */
function ofOnePass(listed: readonly OutboxRow[]): readonly OutboxRow[] {
  const sum = { changes: 0, bytes: 0 };
  const over = listed.findIndex(({ changes, bytes }) => {
    sum.changes += changes;
    sum.bytes += bytes;
    return sum.changes > passChangesMax || sum.bytes > passMaxBytes;
  });
  return over === -1 ? listed : listed.slice(0, Math.max(1, over));
}

function toOutboxRow(row: Row): OutboxRow {
  return {
    id: Number(row.id),
    changes: Number(row.change_count),
    bytes: Number(row.body_bytes),
    deletedId: idOrNull(row.deleted_id),
  };
}

/**
 * Removes the changes of each contact from before its deletion. Later ones stay: if an upsert of unknown outcome is retried after
 * the deletion, it creates the contact again with the same id. Afterwards no subscription waits for the contacts, because a
 * consumer stores a failure only if it can lock the change in the log. Resolves with whether changes may be left.
 */
async function removeChangesOf(work: Work, deletions: readonly { contactId: string; to: number }[]): Promise<boolean> {
  if (deletions.length === 0) return false;
  const contactIds = deletions.map(({ contactId }) => contactId);
  const listed = await work.rows(changeStatements.listChangesOf(deletions, changesRemovedAtOnce));
  const changes = listed.map((row) => ({ workspace: text(row.workspace), position: Number(row.position) }));
  if (changes.length > 0) await work.write(changeStatements.deleteChanges(changes));
  await work.write(failureStatements.deleteWaitingOf(contactIds));
  return changes.length === changesRemovedAtOnce;
}
