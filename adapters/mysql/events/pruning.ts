import { assertNotDeleted } from "../../../lib/storage/refusals.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { PruneRequest, PruneStep } from "../../../lib/storage/rows.ts";
import { eventStatements, id, pruningStatements as sql, type Row } from "../sql/index.ts";
import { lockFree } from "../contacts/index.ts";
import { isDeletedWorkspace, type Runner, type Work, writeOne } from "../transactions/index.ts";

/** The number of events that a step removes. It is small, so that no contact is locked for long, and smaller on a slow database. */
const firstSize = 25;
const smallestSize = 5;
const largestSize = 200;

/** The number of events of a step of a dry run, which locks nothing. */
const countedSize = 10_000;

/** Returns the size of the next step, after one that took `tookMs`. */
export function nextSize(size: number, tookMs: number): number {
  if (tookMs > 200) return Math.max(smallestSize, Math.floor(size / 2));
  return tookMs < 50 ? Math.min(largestSize, size * 2) : size;
}

/** The ids that a step removes, in case its COMMIT has an unknown outcome. */
interface Removal {
  ids: string[];
  step: PruneStep;
}

export function createPruning(runner: Runner): Pick<Storage, "markPruned" | "findPrunedBefore" | "pruneEvents"> {
  let size = firstSize;
  return {
    findPrunedBefore: (workspace) => runner.read((work) => findPrunedBefore(work, workspace)),
    async markPruned(workspace, before) {
      await writeOne(runner, null, async (work) => {
        await work.write(sql.markPruned(workspace, before));
        assertNotDeleted(await isDeletedWorkspace(work, workspace));
      });
    },
    async pruneEvents(workspace, request) {
      if (request.dryRun) return runner.read((work) => count(work, workspace, request));
      const begun = performance.now();
      const ofStep = size;
      const step = await writeOne(runner, request, (work: Work<Removal>, copy) => prune(work, workspace, copy, ofStep));
      size = nextSize(ofStep, performance.now() - begun);
      return step;
    },
  };
}

export async function findPrunedBefore(work: Work, workspace: string): Promise<number | null> {
  const [row] = await work.rows(sql.findPrunedBefore(workspace));
  return row ? Number(row.pruned_before) : null;
}

async function prune(work: Work<Removal>, workspace: string, request: PruneRequest, size: number): Promise<PruneStep> {
  const { intended } = work;
  if (intended && intended.ids.length > 0) {
    // If all these events are gone, the step was committed. If one is left, the step may have been rolled back.
    const left = await work.rows(eventStatements.findEventsById(intended.ids, ""));
    if (left.length === 0) return intended.step;
  }
  const listed = await work.rows(sql.listPrunable(workspace, request, size));
  const contactIds = [...new Set(listed.map((row) => id(row.contact_id)))].sort();
  const locked = await lockFree(work, contactIds);
  const ids = listed.filter((row) => locked.has(id(row.contact_id))).map((row) => id(row.id));
  const step = { pruned: ids.length, held: ids.length < listed.length, next: positionAfter(listed, size) };
  work.intend({ ids, step });
  // Between the reading and the lock, another step or the deletion of the contact may have removed some of the events.
  if (ids.length > 0) step.pruned = await work.write(eventStatements.deleteEvents(ids));
  return step;
}

async function count(work: Work, workspace: string, request: PruneRequest): Promise<PruneStep> {
  const listed = await work.rows(sql.listPrunable(workspace, request, countedSize));
  return { pruned: listed.length, held: false, next: positionAfter(listed, countedSize) };
}

/** The position of the last row; `null` if there are fewer than `size` rows. */
function positionAfter(rows: readonly Row[], size: number): PruneStep["next"] {
  const last = rows.length < size ? undefined : rows.at(-1);
  return last ? { createdAt: Number(last.created_at), id: id(last.id) } : null;
}
