import type { ChangeStorage } from "../../../lib/storage/changes.ts";
import type { ConsumerStorage } from "../../../lib/storage/consumers.ts";
import { outboxRowsCounted } from "../limits.ts";
import { outboxStatements } from "../sql/index.ts";
import type { BacklogStats, OutboxStats } from "../stats.ts";
import type { OwnRunner } from "../transactions/index.ts";
import { createConsumers } from "./consumers.ts";
import { createLog } from "./log.ts";
import { createNextChanges } from "./next-changes.ts";
import { createPasses } from "./passes.ts";
import { createRemoval } from "./removal.ts";
import type { Watchers } from "./watchers.ts";

export {
  clocksOf,
  createKnownSubscriptions,
  type FindSubscriptions,
  type Subscriptions,
  type WasEverUsed,
  type Write,
} from "./known.ts";
export { causesNothing, currentOf, openOutbox, type Outbox } from "./outbox.ts";
export { acknowledge } from "./progress.ts";
export { createWatchers } from "./watchers.ts";

/** The port's methods for the log of changes, and the counts of the log. */
export interface Log extends ChangeStorage, ConsumerStorage {
  /** The number of changes that this storage has logged. */
  logged(): number;
  readOutbox(): Promise<OutboxStats>;
  readBacklogs(): Promise<BacklogStats[]>;
  /** Removes the changes of contacts that were deleted. */
  removeDeleted(): Promise<void>;
}

export function createSubscriptions(runner: OwnRunner, watchers: Watchers): Log {
  let sum = 0;
  const passes = createPasses(runner, (logged) => (sum += logged));
  return {
    ...createLog(runner),
    ...createNextChanges(runner),
    ...passes,
    ...createRemoval(runner),
    ...createConsumers(runner, passes.logChanges, watchers),
    logged: () => sum,
    readOutbox: () =>
      runner.read(async (work) => {
        const [row] = await work.rows(outboxStatements.countWaiting(outboxRowsCounted));
        // The statement answers one row.
        const { waiting, age } = row!;
        return { changes: Number(waiting), oldestAgeMs: Math.max(0, Number(age)) };
      }),
  };
}
