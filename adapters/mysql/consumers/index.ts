import type { ConsumerStorage } from "../../../lib/storage/consumers.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { BacklogStats } from "../stats.ts";
import type { OwnRunner } from "../transactions/index.ts";
import { createBacklogs } from "./backlog.ts";
import { createParked } from "./parked.ts";
import { createTaking } from "./taking.ts";
import type { CommitListeners } from "../changes/index.ts";

export { acknowledge } from "./progress.ts";

/** The port's methods that share the changes of subscriptions among consumers. */
export function createConsumers(
  runner: OwnRunner,
  logChanges: Storage["logChanges"],
  { listen }: CommitListeners,
): Omit<ConsumerStorage, "acknowledge"> & { readBacklogs(): Promise<BacklogStats[]> } {
  return {
    ...createTaking(runner, logChanges),
    ...createBacklogs(runner),
    ...createParked(runner),
    watchChanges: listen,
  };
}
