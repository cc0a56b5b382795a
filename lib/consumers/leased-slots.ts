/** The slots that a consumer has leased. */
import { isTrackerError } from "../model/errors.ts";
import type { Change } from "../model/change-types.ts";
import type { Scope } from "../scope.ts";
import type { ChangeFailure, SlotProgress, TakenSlot } from "../storage/consumers.ts";

/** A change to handle, and the facts about it that the storage needs. */
export interface Item {
  /** The handler may modify this object. */
  change: Change;
  changeId: string;
  contactId: string;
  position: number;
  waited: boolean;
  failures: number;
}

/** A slot that was leased. */
export interface LeasedSlot {
  lease: Pick<SlotProgress, "subscriptionId" | "slot" | "token">;
  /** All its changes up to here were handled, or their contacts wait. */
  position: number;
  end: number;
  items: Item[];
  /** A time of `performance.now`. After it others may have leased the slot. */
  leasedUntil: number;
  /** Whether its handler was aborted or not begun, because the slot is lost or the consumer stops. */
  isGivenUp: boolean;
  /** Aborts the handler that runs. */
  running: { abort(reason: Error): void } | null;
}

export interface LeasedSlots {
  /** Adds the slots of a call that began at `leasedAt`, without items. */
  add(subscriptionId: string, token: string, taken: readonly TakenSlot[], leasedAt: number): LeasedSlot[];
  /** The progress of the slot once the change is handled or, with a failure, once the contact of the change waits. */
  progressAfter(slot: LeasedSlot, item: Item, failure: ChangeFailure | null): SlotProgress;
  /** Stores the result of `progressAfter`. Resolves with `false` if the slot is lost. */
  store(slot: LeasedSlot, item: Item, failure: ChangeFailure | null): Promise<boolean>;
  lose(slot: LeasedSlot): void;
  /** Stores the positions of the slots, and ends their leases. */
  release(slots: readonly LeasedSlot[]): Promise<void>;
  /** Renews the leases in time, until the returned function is called. */
  renew(): () => void;
  /** Aborts the handlers that run. */
  abort(reason: Error): void;
}

export function createLeasedSlots({ storage, workspace }: Scope, leaseMs: number): LeasedSlots {
  const leased = new Set<LeasedSlot>();

  function lose(slot: LeasedSlot): void {
    leased.delete(slot);
    giveUp(slot, new Error("Another consumer has taken over: the lease of this one has ended."));
  }

  function giveUp(slot: LeasedSlot, reason: Error): void {
    slot.isGivenUp = true;
    slot.running?.abort(reason);
  }

  function progressOf({ lease, position }: LeasedSlot, ms: number | null): SlotProgress {
    return { ...lease, position, leaseMs: ms };
  }

  function progressAfter(slot: LeasedSlot, item: Item, failure: ChangeFailure | null): SlotProgress {
    const { changeId, contactId, position } = item;
    const progress = { ...progressOf(slot, leaseMs), position: positionAfter(slot, item) };
    if (!failure && !item.waited) return progress;
    return { ...progress, contact: { contactId, changeId, position, failure } };
  }

  async function renewAll(): Promise<void> {
    const slots = [...leased];
    if (slots.length === 0) return;
    const leasedAt = performance.now();
    const answers = await storage.acknowledge(
      workspace,
      slots.map((slot) => progressOf(slot, leaseMs)),
    );
    slots.forEach((slot, index) => {
      // A slot that was released meanwhile is not leased any more.
      if (!leased.has(slot)) return;
      if (answers[index]) slot.leasedUntil = leasedAt + leaseMs;
      else lose(slot);
    });
  }

  return {
    add(subscriptionId, token, taken, leasedAt) {
      const slots = taken.map(({ slot, position, end }) => {
        const times = { leasedUntil: leasedAt + leaseMs, isGivenUp: false, running: null };
        return { lease: { subscriptionId, slot, token }, position, end, items: [], ...times };
      });
      for (const slot of slots) leased.add(slot);
      return slots;
    },
    progressAfter,
    async store(slot, item, failure) {
      const [isLeased] = await storage.acknowledge(workspace, [progressAfter(slot, item, failure)]);
      if (!isLeased) lose(slot);
      return isLeased === true;
    },
    lose,
    async release(slots) {
      const left = slots.filter((slot) => leased.has(slot));
      if (left.length === 0) return;
      await storage.acknowledge(
        workspace,
        left.map((slot) => progressOf(slot, null)),
      );
      for (const slot of left) leased.delete(slot);
    },
    renew() {
      // If a renewal fails, another follows before the lease ends.
      const timer = setInterval(() => void renewAll().catch(() => {}), leaseMs / 3);
      return () => clearInterval(timer);
    },
    abort(reason) {
      for (const slot of leased) if (slot.running) giveUp(slot, reason);
    },
  };
}

/** The position of the slot after the change. A change of a contact that waited is not after this position, and leaves it. */
export function positionAfter(slot: LeasedSlot, { waited, position }: Item): number {
  return waited ? slot.position : position;
}

/** Whether the storage is unreachable or locked. */
export function isUnavailable(error: unknown): boolean {
  return isTrackerError(error) && error.code === "storage_unavailable";
}
