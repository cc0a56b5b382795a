import type { Storage } from "../../../lib/storage/port.ts";
import type { PruneRequest, PruneStep } from "../../../lib/storage/rows.ts";
import { contactStatements, eventStatements, id, pruningStatements as sql } from "../sql/index.ts";
import type { Runner, Work } from "../transactions/index.ts";
import { writeOne } from "../write-one.ts";

/** Few, so that a contact is not held for long. */
const eventsPerStep = 200;

/** What a step removes, in case nobody knows whether it was committed. */
interface Removal {
  ids: string[];
  step: PruneStep;
}

export function createPruning(runner: Runner): Pick<Storage, "markPruned" | "pruneEvents"> {
  return {
    async markPruned(workspace, before) {
      await writeOne(runner, null, (work) => work.write(sql.markPruned(workspace, before)));
    },
    pruneEvents: (workspace, request) =>
      writeOne(runner, request, (work: Work<Removal>, copy) => prune(work, workspace, copy)),
  };
}

export async function findPrunedBefore(work: Work, workspace: string): Promise<number | null> {
  const [row] = await work.rows(sql.findPrunedBefore(workspace));
  return row ? Number(row.pruned_before) : null;
}

async function prune(work: Work<Removal>, workspace: string, request: PruneRequest): Promise<PruneStep> {
  const { intended } = work;
  if (intended && intended.ids.length > 0) {
    // A committed step has left none of them. A row that is there may belong to a step that was rolled back.
    const left = await work.rows(eventStatements.findEventsById(intended.ids, ""));
    if (left.length === 0) return intended.step;
  }
  const listed = (await work.rows(sql.listPrunable(workspace, request, eventsPerStep))).map((row) => ({
    id: id(row.id),
    contactId: id(row.contact_id),
    createdAt: Number(row.created_at),
  }));
  const contactIds = [...new Set(listed.map(({ contactId }) => contactId))].sort();
  const locked = new Set(await lockFree(work, contactIds));
  const ids = listed.filter(({ contactId }) => locked.has(contactId)).map((event) => event.id);
  const last = listed.length < eventsPerStep ? undefined : listed.at(-1);
  const next = last ? { createdAt: last.createdAt, id: last.id } : null;
  const step = { pruned: ids.length, held: ids.length < listed.length, next };
  work.intend({ ids, step });
  // Between the reading and the lock, another step or the deletion of the contact may have removed some.
  if (ids.length > 0) step.pruned = await work.write(eventStatements.deleteEvents(ids));
  return step;
}

/** Locks the contacts that no other transaction holds. */
async function lockFree(work: Work, contactIds: readonly string[]): Promise<string[]> {
  if (contactIds.length === 0) return [];
  const rows = await work.rows(contactStatements.findContactsById(contactIds, "FOR UPDATE SKIP LOCKED", "c.id"));
  return rows.map((row) => id(row.id));
}
