import type { ChangeStorage } from "../../../lib/storage/changes.ts";
import { outboxRowsCounted } from "../limits.ts";
import { outboxStatements } from "../sql/index.ts";
import type { OutboxStats } from "../stats.ts";
import type { OwnRunner } from "../transactions/index.ts";
import { createLog } from "./read.ts";
import { createNextChanges } from "./next-changes.ts";
import { createPasses } from "./passes.ts";
import { createRemoval } from "./removal.ts";

export {
  clocksOf,
  createKnownSubscriptions,
  type FindSubscriptions,
  type Subscriptions,
  type WasEverUsed,
  type Write,
} from "./known.ts";
export { causesNothing, currentOf, openOutbox, type Outbox } from "./outbox.ts";
export { createCommitListeners, type CommitListeners } from "./commit-listeners.ts";
export { findSubscription, type Found } from "./find.ts";

/** The port's methods for the log of changes, and the counts of the log. */
export interface Changes extends ChangeStorage {
  /** The number of changes that this storage has logged. */
  logged(): number;
  readOutbox(): Promise<OutboxStats>;
  /** Removes the changes of contacts that were deleted. */
  removeDeleted(): Promise<void>;
}

export function createChanges(runner: OwnRunner): Changes {
  let sum = 0;
  const passes = createPasses(runner, (logged) => (sum += logged));
  return {
    ...createLog(runner),
    ...createNextChanges(runner),
    ...passes,
    ...createRemoval(runner),
    logged: () => sum,
    readOutbox: () =>
      runner.read(async (work) => {
        const [row] = await work.rows(outboxStatements.countWaiting(outboxRowsCounted));
        // The statement returns one row.
        const { waiting, age } = row!;
        return { changes: Number(waiting), oldestAgeMs: Math.max(0, Number(age)) };
      }),
  };
}
