import type { Storage } from "../../../lib/storage/port.ts";
import type { RemovedRows, WorkspaceStorage } from "../../../lib/storage/workspaces.ts";
import { listDefinitions, endSubscription } from "../definitions/index.ts";
import { isDeletedWorkspace, type OwnRunner, type Step, type Work, writeOne } from "../transactions/index.ts";
import { longestCallMs, statementsMs } from "../limits.ts";
import {
  contactStatements,
  eventStatements,
  id,
  membershipStatements,
  text,
  watchStatements,
  workspaceStatements as sql,
} from "../sql/index.ts";

const contactsPerStep = 100;
const rowsPerStep = 1_000;

const nothing: RemovedRows = {
  contacts: 0,
  events: 0,
  definitions: 0,
  apiKeys: 0,
  next: null,
  done: false,
};

/** The contacts of a step, in case its COMMIT has an unknown outcome. */
interface Removal {
  ids: string[];
  step: RemovedRows;
}

export function createWorkspaces(
  runner: OwnRunner,
  cacheSeconds: number,
  logChanges: Storage["logChanges"],
  forget: (workspace: string) => void,
): WorkspaceStorage {
  const removeContacts = (workspace: string, after: string | null): Promise<RemovedRows> =>
    writeOne(runner, null, (work: Work<Removal>) => removeNext(work, workspace, after));
  return {
    listWorkspaces: () =>
      runner.read(async (work) =>
        (await work.rows(sql.listWorkspaces)).map((row) => ({
          name: text(row.workspace),
          deletedAt: row.deleted_at === null ? null : Number(row.deleted_at),
        })),
      ),
    async markDeleted(workspace, at) {
      await writeOne(runner, null, (work) => work.write(sql.markDeleted(workspace, at)));
      forget(workspace);
      // A write can begin its last statement up to `longestCallMs` after it read the marks. The statement takes up to `statementsMs`.
      return { settleMs: Math.max(cacheSeconds * 1_000, statementsMs) + longestCallMs };
    },
    async removeRows(workspace, { after, settled }) {
      const step = await removeContacts(workspace, after);
      if (step.next !== null || step.done || !settled) return step;
      // No contact is left, so the transactions that wrote changes of the workspace have ended. Their changes are in the outbox.
      while ((await logChanges()).more);
      const rest = await runner.writeInSteps(nothing, (work, before: RemovedRows) =>
        removeRest(work, workspace, before),
      );
      if (rest.done) forget(workspace);
      return rest;
    },
  };
}

/** Removes the next contacts, or some of their events if they have many. */
async function removeNext(work: Work<Removal>, workspace: string, after: string | null): Promise<RemovedRows> {
  const { intended } = work;
  if (
    intended &&
    (await work.rows(contactStatements.findContactsById(intended.ids, "", contactStatements.idColumn))).length === 0
  )
    return intended.step;
  const ids = (await work.rows(sql.lockContacts(workspace, after, contactsPerStep))).map((row) => id(row.id));
  // Another deletion has removed the mark, so the contacts may be those of a new workspace.
  if (!(await isDeletedWorkspace(work, workspace))) return { ...nothing, done: true };
  const last = ids.at(-1);
  if (last === undefined) return nothing;
  const events = (await work.rows(sql.listEventsOf(ids, rowsPerStep))).map((row) => id(row.id));
  if (events.length > 0) await work.write(eventStatements.deleteEvents(events));
  // The next step takes the same contacts again. `noId` is before the id of every contact.
  if (events.length === rowsPerStep) return { ...nothing, events: events.length, next: after ?? noId };
  const step = { ...nothing, contacts: ids.length, events: events.length, next: last };
  work.intend({ ids, step });
  for (const statement of sql.deleteContacts(ids)) await work.write(statement);
  return step;
}

const noId = "00000000-0000-0000-0000-000000000000";

/** Removes the rest of the workspace. Locks the row of the workspace first, as each write of definitions and API keys does. */
async function removeRest(work: Work, workspace: string, before: RemovedRows): Promise<Step<RemovedRows, RemovedRows>> {
  if (!(await isDeletedWorkspace(work, workspace, "FOR UPDATE"))) return { result: { ...before, done: true } };
  // A write that began before the mark may have added a contact since. The next call removes it.
  if ((await work.rows(sql.lockContacts(workspace, null, 1))).length > 0) return { result: before };
  if ((await work.write(sql.deleteChangesOf(workspace, rowsPerStep))) === rowsPerStep) return { next: before };
  for (const row of await work.rows(sql.listAllWatches(workspace))) {
    const removed = await work.write(membershipStatements.deleteMembers(id(row.id), rowsPerStep));
    if (removed === rowsPerStep) return { next: before };
    await work.write(watchStatements.deleteWatch(id(row.id)));
  }
  for (const subscription of await listDefinitions(work, workspace, "subscription"))
    await endSubscription(work, subscription.id);
  const definitions = await work.write(sql.deleteAll("definitions", workspace));
  await work.write(sql.deleteUsesOf(workspace));
  const apiKeys = await work.write(sql.deleteAll("apiKeys", workspace));
  await work.write(sql.deleteAll("workspaces", workspace));
  return { result: { ...before, definitions, apiKeys, done: true } };
}
