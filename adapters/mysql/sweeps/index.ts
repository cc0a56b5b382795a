import { createWatcher, lastPosition } from "../../../lib/decisions/watches.ts";
import type { WatchStorage } from "../../../lib/storage/watches.ts";
import { idOrNull, text, toWatch, watchStatements as sql } from "../sql/index.ts";
import type { FindSubscriptions } from "../changes/index.ts";
import { writeOne, type OwnRunner } from "../transactions/index.ts";
import { beginWatches } from "./first-passes.ts";
import { evaluateContacts, findDifferences } from "./sweeps.ts";

/** The port's methods that watch audiences. */
export function createWatches(runner: OwnRunner, findSubscriptions: FindSubscriptions): WatchStorage {
  return {
    listWatches: (workspace) =>
      runner.read(async (work) => (await work.rows(sql.listWatches([workspace]))).map(toWatch)),
    listSweeps: () =>
      runner.read(async (work) =>
        (await work.rows(sql.listSweeps)).map((row) => ({
          workspace: text(row.workspace),
          sweptAt: Number(row.swept_at),
          position: idOrNull(row.position),
        })),
      ),
    beginWatches: (now) => beginWatches(runner, now),
    claimSweep: (workspace, pauseMs) =>
      writeOne(runner, null, async (work) => (await work.write(sql.claimSweep(workspace, pauseMs))) > 0),
    async sweep(workspace, now) {
      await writeOne(runner, null, (work) => work.write(sql.tickWatches(workspace, now)));
      const { contactIds, begun, next } = await runner.read(async (work) => {
        const watches = (await work.rows(sql.listWatches([workspace]))).map(toWatch);
        const ready = watches.filter(({ readyAt }) => readyAt !== null);
        const position = lastPosition(ready);
        return { begun: position, ...(await findDifferences(work, workspace, ready.map(createWatcher), position)) };
      });
      await evaluateContacts(runner, workspace, contactIds, now, await findSubscriptions([{ workspace }]));
      // Moved after the evaluation: if the process ends in between, the next sweep evaluates these contacts again.
      if (next !== begun) await writeOne(runner, null, (work) => work.write(sql.moveSweep(workspace, next)));
      return next !== null;
    },
  };
}
