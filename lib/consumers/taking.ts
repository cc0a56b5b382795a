import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { acceptedOf, showChanges } from "../changes/read.ts";
import { pageMaxBytes, takePauseMaxMs, takePauseMs } from "../model/limits.ts";
import type { Scope } from "../scope.ts";
import type { ConsumerPlace, TakenSlot, TakeRequest } from "../storage/consumers.ts";
import type { LeasedSlot, LeasedSlots, Item } from "./leased-slots.ts";

/** Slots that were leased now, or none. */
export interface TakenSlots {
  slots: LeasedSlot[];
  /** Whether other consumers have leased slots. */
  busy: boolean;
  /** Whether changes are left, or may still wait to be logged. */
  more: boolean;
  place: ConsumerPlace;
}

/** Makes a function that leases slots with at most `limit` changes. If it rejects, the leases are released, or end by themselves. */
export function createTaker(
  scope: Scope,
  key: string,
  leased: LeasedSlots,
  leaseMs: number,
  isWebhook = false,
): (limit: number, probe?: TakeRequest["probe"]) => Promise<TakenSlots> {
  let nextAt = 0;
  return async (limit, probe) => {
    await sleep(Math.max(0, nextAt - performance.now()));
    const takenAt = performance.now();
    const token = randomUUID();
    const request: TakeRequest = {
      token,
      leaseMs,
      limit,
      maxBytes: pageMaxBytes,
      ...(isWebhook && { isWebhook }),
      ...(probe && { probe }),
    };
    const answer = await scope.storage.takeChanges(scope.workspace, key, request);
    const { subscriptionId, slots, busy, more, place } = acceptedOf(key, answer);
    // Asks again at once if more is left, and pauses otherwise: each page costs some commits.
    const now = performance.now();
    const pauseMs = Math.min(Math.max(takePauseMs, 2 * (now - takenAt)), takePauseMaxMs);
    nextAt = more ? 0 : now + pauseMs;
    const added = leased.add(subscriptionId, token, slots, takenAt);
    try {
      const items = await toItems(scope, slots);
      // Each slot was added.
      items.forEach((own, index) => (added[index]!.items = own));
    } catch (error) {
      await leased.release(added).catch(() => {});
      throw error;
    }
    return { slots: added, busy, more, place };
  };
}

/** The items of each slot. */
async function toItems(scope: Scope, slots: readonly TakenSlot[]): Promise<Item[][]> {
  const rows = slots.flatMap(({ changes }) => changes.map(({ row }) => row));
  const shown = (await showChanges(scope, rows)).values();
  return slots.map(({ changes }) =>
    changes.map(({ row: { id, contact, position }, waited, failures }) => {
      // Each row is shown.
      const change = shown.next().value!;
      return { change, changeId: id, contactId: contact.id, position, waited, failures };
    }),
  );
}
