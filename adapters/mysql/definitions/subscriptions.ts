/** The rows that a subscription has beside its definition. */
import { slotStatements, subscriptionStatements, failureStatements } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";

/** Begins the subscription at a new position. Cursors from before, as of a deleted one with the same key, are refused by it. */
export async function beginSubscription(work: Work, definitionId: string): Promise<void> {
  await work.write(subscriptionStatements.takePosition);
  await work.write(subscriptionStatements.insertSubscription(definitionId));
  await work.write(slotStatements.insertSlots(definitionId));
}

/** Deletes the slots before the waiting contacts, because a contact begins to wait only while its slot is locked. */
export async function endSubscription(work: Work, subscriptionId: string): Promise<void> {
  await work.write(subscriptionStatements.deleteSubscription(subscriptionId));
  await work.write(slotStatements.deleteSlots(subscriptionId));
  await work.write(failureStatements.deleteAllWaiting(subscriptionId));
}
