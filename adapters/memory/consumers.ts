/** Shares the changes of subscriptions among consumers. */
import { slotCount } from "../../lib/model/limits.ts";
import type { ConsumerStorage, SlotProgress } from "../../lib/storage/consumers.ts";
import { onSubscription } from "./log.ts";
import { makeTables, nameIn, runOne, type State, type View } from "./view.ts";

export function createConsumers(state: State, view: View): Omit<ConsumerStorage, "acknowledge"> {
  return {
    takeChanges: async (workspace, key, request) =>
      onSubscription(state, workspace, key, (log, subscription) => {
        const isUnlocked = (slot: number): boolean =>
          !state.holders.has(nameIn(workspace, nameOfSlot({ subscriptionId: subscription.id, slot })));
        return log.take(subscription, { ...request, now: Date.now(), isUnlocked });
      }),
    readBacklog: async (workspace, key) =>
      onSubscription(state, workspace, key, (log, row) => log.slotsOf(row).backlog(row, Date.now())),
    listParked: async (workspace, key, slice) =>
      onSubscription(state, workspace, key, (log, subscription) => log.slotsOf(subscription).parked(slice)),
    releaseParked: async (workspace, key, changeId, how) =>
      onSubscription(state, workspace, key, (log, row) => log.slotsOf(row).release(changeId, how)),
    resumeChanges: (workspace, key, from) =>
      runOne(view, null, (current) =>
        onSubscription(state, workspace, key, (log, subscription) => {
          const slots = Array.from({ length: slotCount }, (_, slot) => ({ subscriptionId: subscription.id, slot }));
          current.claim(workspace, () => slots.map(nameOfSlot));
          return log.resume(subscription, from);
        }),
      ),
    watchChanges: (workspace, listener) => makeTables(state, workspace).changes.watch(listener),
  };
}

export function acknowledge(view: View, workspace: string, progress: SlotProgress): boolean {
  const { changes } = view.makeTables(workspace);
  view.claim(workspace, () => [nameOfSlot(progress)]);
  if (!changes.isLeased(progress)) return false;
  changes.acknowledge(progress);
  return true;
}

/** The name that a transaction locks when it acknowledges the slot. */
function nameOfSlot({ subscriptionId, slot }: Pick<SlotProgress, "subscriptionId" | "slot">): string {
  return `slot ${subscriptionId} ${slot}`;
}
