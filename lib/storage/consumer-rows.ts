/** The rows of consumers: leased slots, their progress, and parked contacts. */
import type { ChangeRow } from "./change-rows.ts";
import type { PageSize, Position } from "./rows.ts";

/** Selects the changes that a consumer takes. */
export interface TakeRequest extends PageSize {
  /** The token of the leases. Each call has a new one. */
  token: string;
  /** The leases end so many milliseconds after the call. */
  leaseMs: number;
}

/** The result of `takeChanges`. */
export interface Taken {
  /** The id of the subscription. A key that is deleted and defined anew has another. */
  subscriptionId: string;
  /** The slots that the call has leased, in the order of their first changes. */
  slots: TakenSlot[];
  /** Whether other slots are leased by other calls, or acknowledged by an open transaction. */
  busy: boolean;
  /** Whether changes are left, or may still wait to be logged: another call may find some at once. */
  more: boolean;
  /** Where `findWork` looks for a consumer that has taken nothing. */
  place: ConsumerPlace;
}

/** The state of a subscription that a call of `takeChanges` has seen. */
export interface ConsumerPlace {
  /** The end of the log before the call. Without slots and `more` no free slot has a change up to it. */
  after: number;
  /** The positions and leases of all slots before the call: another text after each change of one of them. `null` without a subscription. */
  slotState: string | null;
}

/** A slot that was leased. */
export interface TakenSlot {
  slot: number;
  position: number;
  /** The position of the slot once all its changes have been handled. */
  end: number;
  /** At least one. First those of contacts that wait. */
  changes: TakenChange[];
}

/** A change to handle. */
export interface TakenChange {
  row: ChangeRow;
  /** Whether its contact waits. */
  waited: boolean;
  /** How often it has failed. */
  failures: number;
}

/** The progress of a consumer in a slot that it has leased. */
export interface SlotProgress {
  subscriptionId: string;
  slot: number;
  token: string;
  position: number;
  /** The lease ends so many milliseconds from now; `null` ends it now. */
  leaseMs: number | null;
  /** Absent for a contact that did not wait, and does not now. */
  contact?: ContactProgress;
}

/** A change that failed, or that was handled after its contact had waited. */
export interface ContactProgress {
  contactId: string;
  changeId: string;
  /** The position of the change. */
  position: number;
  failure: ChangeFailure | null;
}

/** A failure of a change. */
export interface ChangeFailure {
  /** How often the change has failed, this time included. */
  failures: number;
  error: string;
  /** The contact waits so many milliseconds; `null` if it is parked. */
  pauseMs: number | null;
}

/** A parked contact. The position of the row is the time of the failure, and the id of the change. */
export interface ParkedRow extends Position {
  contactId: string;
  /** `null` if the change is no longer kept. */
  change: ChangeRow | null;
  failures: number;
  error: string;
}

/** The changes of a subscription that wait for its consumers. */
export interface BacklogRow {
  changes: number;
  /** Whether there may be others, because the storage stopped counting. */
  more: boolean;
  /** The time in milliseconds since the oldest of them was logged, by the storage's clock; 0 if there is none. */
  oldestAgeMs: number;
  /** The number of contacts that `listParked` lists. */
  parked: number;
}
