/** The passes, which move changes from the outbox into the log. */
import type { Storage } from "../../../lib/storage/port.ts";
import { changesPerDeletionStep, passChangesMax, passMaxBytes } from "../limits.ts";
import { changeStatements, id, outboxStatements as sql, subscriptionStatements, text, type Row } from "../sql/index.ts";
import type { OwnRunner, Step, Work } from "../transactions/index.ts";

interface Waiting {
  id: number;
  contactId: string;
  bytes: number;
  isDeletion: boolean;
}

/** Counts the logged changes by `count`. */
export function createPasses(runner: OwnRunner, count: (logged: number) => void): Pick<Storage, "logChanges"> {
  return {
    async logChanges() {
      const [waiting] = await runner.read((work) => work.rows(sql.listWaiting(1)));
      if (!waiting) return { logged: 0, more: false };
      const passed = await runner.writeInSteps(null, async (work) => ({ result: await pass(work) }));
      count(passed.logged);
      return passed;
    },
  };
}

/**
 * Moves the first changes. The lock of the log's end keeps out other passes. All changes are of one snapshot: a change in it can
 * follow only from others in it, whose ids are lower. A later commit with a lower id is in the snapshot of a later pass.
 */
async function pass(work: Work): Promise<{ logged: number; more: boolean }> {
  const [end] = await work.rows(subscriptionStatements.lockEnd);
  if (!end) return { logged: 0, more: false };
  const listed = (await work.rows(sql.listWaiting(passChangesMax))).map(toWaiting);
  const taken = ofOnePass(listed);
  if (taken.length === 0) return { logged: 0, more: false };
  const deleted = new Set(taken.filter(({ isDeletion }) => isDeletion).map(({ contactId }) => contactId));
  if (deleted.size > 0 && (await removeLogged(work, [...deleted]))) return { logged: 0, more: true };
  const kept = taken.filter(({ isDeletion, bytes, contactId }) => (isDeletion ? bytes > 0 : !deleted.has(contactId)));
  if (kept.length > 0) {
    const before = Number(end.position);
    await work.write(sql.logWaiting(idsOf(kept), before));
    await work.write(subscriptionStatements.moveEnd(before + kept.length));
  }
  await work.write(sql.deleteWaiting(idsOf(taken)));
  return { logged: kept.length, more: taken.length < listed.length || listed.length === passChangesMax };
}

/** The first changes that have no more than `passMaxBytes` together: at least one. */
function ofOnePass(listed: readonly Waiting[]): readonly Waiting[] {
  let bytes = 0;
  const over = listed.findIndex((waiting) => (bytes += waiting.bytes) > passMaxBytes);
  return over === -1 ? listed : listed.slice(0, Math.max(1, over));
}

function idsOf(waiting: readonly Waiting[]): number[] {
  return waiting.map((change) => change.id);
}

function toWaiting(row: Row): Waiting {
  return {
    id: Number(row.id),
    contactId: id(row.contact_id),
    bytes: Number(row.bytes),
    isDeletion: text(row.kind) === "contact_deleted",
  };
}

/**
 * Removes the changes of a contact that was deleted, in steps. The lock of the log's end keeps out the passes, which would move
 * changes meanwhile. If it fails, the pass that logs the deletion removes them.
 */
export async function removeChangesOf(runner: OwnRunner, contactId: string): Promise<void> {
  await runner.writeInSteps(null, async (work): Promise<Step<null, null>> => {
    await work.rows(subscriptionStatements.lockEnd);
    const waiting = await work.rows(sql.listWaitingOf(contactId, changesPerDeletionStep));
    if (waiting.length > 0) await work.write(sql.deleteWaiting(waiting.map((row) => Number(row.id))));
    const left = await removeLogged(work, [contactId]);
    return left || waiting.length === changesPerDeletionStep ? { next: null } : { result: null };
  });
}

/** Removes changes of the contacts from the log. Resolves with whether it may have left some. */
async function removeLogged(work: Work, contactIds: readonly string[]): Promise<boolean> {
  const listed = await work.rows(changeStatements.listChangesOf(contactIds, changesPerDeletionStep));
  const changes = listed.map((row) => ({ workspace: text(row.workspace), position: Number(row.position) }));
  if (changes.length > 0) await work.write(changeStatements.deleteChanges(changes));
  return changes.length === changesPerDeletionStep;
}
