/** Counts the changes that wait for consumers. */
import type { BacklogRow, ConsumerStorage } from "../../../lib/storage/consumers.ts";
import { backlogLookedAt, backlogsRead } from "../limits.ts";
import {
  changeStatements,
  slotStatements,
  subscriptionStatements,
  takenChangeStatements,
  text,
  failureStatements,
} from "../sql/index.ts";
import type { BacklogStats } from "../stats.ts";
import { readNumber, type OwnRunner, type Work } from "../transactions/index.ts";
import { findSubscription, type Found } from "../changes/index.ts";

export function createBacklogs(
  runner: OwnRunner,
): Pick<ConsumerStorage, "readBacklog"> & { readBacklogs(): Promise<BacklogStats[]> } {
  const readBacklog: ConsumerStorage["readBacklog"] = (workspace, key) =>
    runner.read(async (work) => {
      const found = await findSubscription(work, workspace, key);
      return "refused" in found ? found : count(work, workspace, found);
    });
  return {
    readBacklog,
    async readBacklogs() {
      const rows = await runner.read((work) => work.rows(subscriptionStatements.listConsumed(backlogsRead)));
      const backlogs: BacklogStats[] = [];
      for (const row of rows) {
        const [workspace, key] = [text(row.workspace), text(row.definition_key)];
        const backlog = await readBacklog(workspace, key);
        // The subscription may have been deleted in between.
        if (backlog && !("refused" in backlog)) backlogs.push({ workspace, key, ...backlog });
      }
      return backlogs;
    },
  };
}

async function count(work: Work, workspace: string, found: Found): Promise<BacklogRow | null> {
  const { subscriptionId, topics, end } = found;
  const [slots] = await work.rows(slotStatements.findLowest(subscriptionId));
  // The statement returns one row.
  const { lowest, was_leased } = slots!;
  if (Number(was_leased) === 0) return null;
  const rest = { workspace, from: Number(lowest), to: end };
  const [cut] = await work.rows(changeStatements.findPosition(rest, backlogLookedAt));
  const range = { ...rest, to: cut ? Number(cut.position) - 1 : end };
  const [row] = await work.rows(takenChangeStatements.countBacklog(subscriptionId, topics, range, backlogLookedAt));
  // The statement returns one row.
  const { changes, oldest, clock } = row!;
  const ageMs = oldest === null ? 0 : Math.floor((Number(clock) - Number(oldest)) / 1_000);
  return {
    changes: Number(changes),
    more: cut !== undefined || Number(changes) >= backlogLookedAt,
    oldestAgeMs: Math.max(0, ageMs),
    parked: await readNumber(work, failureStatements.countParked(workspace, subscriptionId, backlogLookedAt), "parked"),
  };
}
