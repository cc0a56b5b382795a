/**
 * The part of the storage port that shares the changes of a subscription among consumers. The storage contract has a test for
 * every sentence.
 *
 * - The changes of a contact are in one of 64 slots (`slotOf`). For each subscription a slot has a position: its changes up to
 *   there were handled, or their contact waits. A new slot has the position where its subscription begins.
 * - A contact waits if one of its changes failed. Its changes from the failed one on are handled apart from the position of the
 *   slot, until none is left up to that position. A contact is parked if it waits without an end.
 *   A contact that is deleted no longer waits; the change of its deletion is in its slot.
 * - A lease belongs to one slot and one token, and ends at a time of the storage's clock.
 * - A subscription is deleted with its slots and the contacts that wait.
 */
import type { ChangeRow } from "./changes.ts";
import type { PageRows, PageSize, Position, Slice } from "./pages.ts";
import type { Refused } from "./results.ts";

/** The methods for consumers. */
export interface ConsumerStorage {
  /**
   * Leases the free slots of the subscription that have changes to handle, and resolves with these changes in the order of the
   * log. A slot is free if it has no lease, or if its lease has ended.
   * - First logs the changes that wait, as one call of `logChanges` does. `more` is `true` if this leaves changes to log, or if one
   *   of the pages below leaves changes to take.
   * - Takes a page of changes of contacts that do not wait: the first after the positions of their slots that the
   *   subscription takes. A free slot without such changes is moved on, and not leased.
   * - Also takes a page of changes of contacts whose pause is over, from the failed change up to the position of the slot.
   *   A contact without any no longer waits. If the failed change was removed by `removeOldChanges`, the contact is parked.
   * - No slot is leased by two calls. A slot that an open transaction has acknowledged is skipped, without waiting.
   * - With `probe` it takes one change only: the first of contacts that do not wait. If there is none, it takes the change of the
   *   contact that waits since its oldest failure, before the end of its pause. With `failedBefore` only if the failure is older.
   *   Parked contacts stay parked.
   * - Refusals: `definition_not_found`. `subscription_conflict` for a webhook without `isWebhook`, and for another subscription
   *   with it. `changes_expired` if `listChanges` would refuse the position of any slot.
   */
  takeChanges(workspace: string, key: string, request: TakeRequest): Promise<Taken | Refused>;

  /**
   * Stores the progress of each slot, all of it or nothing. Resolves in the order of the items: `false`, and nothing is stored,
   * if the token is no longer that of the slot. A lease that has ended counts until another call leases the slot.
   * - The position does not move back. The lease is renewed, or ended with `leaseMs: null`.
   * - `contact` with a failure: the contact waits from this change on, even if `removeOldChanges` has removed the change. Nothing
   *   is stored about a contact that was deleted after the change.
   * - `contact` without a failure: the change was handled after its contact had waited. The contact goes on after it.
   * - Inside a transaction the progress is stored by its commit. Until its end no other call leases the slot, and other progress
   *   of the slot waits.
   */
  acknowledge(workspace: string, items: readonly SlotProgress[]): Promise<boolean[]>;

  /**
   * Counts the changes of the log that wait for a consumer: those that `takeChanges` would take without leases and pauses. The
   * changes of parked contacts wait for a person, and are not counted. Resolves with `null` if no slot of the subscription was
   * ever leased. A storage may stop counting after 10,000 changes of the log, and after 10,000 parked contacts. Refusal:
   * `definition_not_found`.
   */
  readBacklog(workspace: string, key: string): Promise<BacklogRow | Refused | null>;

  /** The parked contacts of the subscription, in order of `createdAt`, then id. Refusal: `definition_not_found`. */
  listParked(workspace: string, key: string, slice: Slice): Promise<PageRows<ParkedRow> | Refused>;

  /**
   * Ends the wait of the contact that is parked at this change. `retry` begins with the change, as if it had not failed before.
   * `drop` begins with the contact's next change. Resolves with `null`. Refusals: `definition_not_found`; `change_not_parked`;
   * `changes_expired` if the change to retry is no longer kept.
   */
  releaseParked(workspace: string, key: string, changeId: string, how: "retry" | "drop"): Promise<Refused | null>;

  /**
   * Ends all leases of the subscription, and moves the positions of its slots on. With `oldest` they go on with the oldest
   * change that is kept, and with `now` at the end of the log. With a time they go on, or back, to the changes that were logged from
   * then on. With `now` and with a time no contact waits any longer. Resolves with `null`. Refusals: `definition_not_found`;
   * `changes_expired` if `removeOldChanges` has removed a change that was logged from the time on, or if the subscription is younger.
   */
  resumeChanges(workspace: string, key: string, from: "oldest" | "now" | number): Promise<Refused | null>;

  /**
   * Calls the listener after each commit of this storage that wrote changes of the workspace, until the returned function is
   * called. The commit of a transaction that the caller ends need not call it. A call may be one for several commits.
   */
  watchChanges(workspace: string, listener: () => void): () => void;
}

/** Selects the changes that a consumer takes. */
export interface TakeRequest extends PageSize {
  /** The token of the leases. Each call has a new one. */
  token: string;
  /** The leases end so many milliseconds after the call. */
  leaseMs: number;
  /** Given by those who send the messages of webhooks. */
  isWebhook?: true;
  /** Times are of the storage's clock. */
  probe?: { failedBefore: number | null };
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
  /** The end of the log before the call. If the call leased no slot and `more` is false, no free slot has a change up to here. */
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
  /** Absent unless a contact begins, prolongs or ends a wait. */
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
  /** Whether there may be more changes, because the storage stopped counting. */
  more: boolean;
  /** The time in milliseconds since the oldest of these changes was logged, by the storage's clock; 0 if there is none. */
  oldestAgeMs: number;
  /** The number of contacts that `listParked` lists. */
  parked: number;
}
