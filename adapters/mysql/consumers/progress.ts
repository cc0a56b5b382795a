/** Stores the progress of consumers. */
import type { SlotProgress } from "../../../lib/storage/consumers.ts";
import { changeStatements, id, slotStatements, subscriptionStatements, text, failureStatements } from "../sql/index.ts";
import { assertCaughtUp, type Runner, type Work, writeOne } from "../transactions/index.ts";

/** Stores the progress in one transaction, which may be a caller's. Stores nothing for a slot that has another token by now. */
export function acknowledge(runner: Runner, workspace: string, items: readonly SlotProgress[]): Promise<boolean[]> {
  return writeOne(runner, items, async (work, copies: readonly SlotProgress[]) => {
    // For a single slot, the number of written rows shows whether the lease is still valid.
    const leased = copies.length === 1 ? copies : await lockHeld(work, copies);
    const isStored = leased.length > 0 && (await work.write(slotStatements.storeProgress(leased))) > 0;
    const stored = isStored ? leased : [];
    // A lagging node may lack the lease.
    if (stored.length < copies.length) assertCaughtUp(work);
    for (const item of stored) await storeContact(work, workspace, item);
    return copies.map((item) => stored.includes(item));
  });
}

async function lockHeld(work: Work, items: readonly SlotProgress[]): Promise<SlotProgress[]> {
  // Transactions lock slots in one order, so that no two of them wait for each other.
  const inOrder = [...items].sort((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1) || a.slot - b.slot);
  const rows = await work.rows(slotStatements.lockHeld(inOrder));
  const leased = new Set(
    rows.map((row) =>
      nameOf({ subscriptionId: id(row.subscription_id), slot: Number(row.slot), token: text(row.token) }),
    ),
  );
  return items.filter((item) => leased.has(nameOf(item)));
}

function nameOf({ subscriptionId, slot, token }: Pick<SlotProgress, "subscriptionId" | "slot" | "token">): string {
  return JSON.stringify([subscriptionId, slot, token]);
}

/** Stores a failure only with a lock of its change. A pass removes a deleted contact's changes first, and then its failures. */
async function storeContact(work: Work, workspace: string, progress: SlotProgress): Promise<void> {
  const { subscriptionId, contact } = progress;
  if (!contact) return;
  const { contactId, position, failure } = contact;
  if (failure === null) {
    await work.write(failureStatements.moveWaiting(subscriptionId, contactId, position + 1));
  } else if (await isKept(work, workspace, subscriptionId, position)) {
    await work.write(failureStatements.putWaiting(progress, contact, failure));
  }
}

/** A change that was removed for its age counts as kept, so that its failure is stored and the change is not skipped. */
async function isKept(work: Work, workspace: string, subscriptionId: string, position: number): Promise<boolean> {
  const [change] = await work.rows(changeStatements.lockChange(workspace, position));
  if (change) return true;
  const [subscription] = await work.rows(subscriptionStatements.lockSubscription(subscriptionId));
  return subscription !== undefined && position <= Number(subscription.first_position);
}
