/** The part of the storage port that keeps the log of changes. The storage contract has a test for every sentence. */
import type { ChangeReader, ChangeRow, FoundWork } from "./change-rows.ts";
import type { PageRows, PageSize, Refused } from "./rows.ts";

/** The methods for the log of changes. */
export interface ChangeStorage {
  /** The storage's clock: that of the database, or of the process if there is none. */
  readClock(): Promise<number>;

  /**
   * Moves the oldest waiting changes of all workspaces into their logs: about 1,000, or 8 MiB. Resolves with their number, and
   * whether others wait. A change whose write has resolved is in the log once a later call has resolved with `more: false`. Several
   * processes may call it at once.
   */
  logChanges(): Promise<{ logged: number; more: boolean }>;

  /**
   * The next changes in the log of the workspace that the subscription takes (`isTaken`), after the position.
   * If it is `null`, they begin with the first that is kept since the subscription was created. A write that resolved before that
   * has none. If it is `newest`, they are the last ones, in the same order; a storage may leave out those before the newest 50,000
   * of the log. The resulting `position` is that of the last change or, if there are no more, of the end of the log. A read that
   * takes longer than a second may end earlier, with `more` and the position up to which it has read. With `audienceKey` they are the entries
   * into this audience and the exits from it; none if the subscription does not name it.
   * - Every call sees one order, and no change appears before a position that a call has resolved with. A position is valid for
   *   every subscription of the workspace that was created before the call that resolved with it.
   * - Of two writes of a contact, the change of the one that was committed first comes first. If a write resolved before another
   *   began, its change comes first, also for two contacts. The changes of one write are in the order of its decision.
   * - An event that was removed has no properties.
   * - Refusals: `definition_not_found` if there is no such subscription. `changes_expired` if the position is before the creation
   *   of the subscription, or beyond the end of the log, or if `removeOldChanges` removed a change that the subscription takes
   *   after it. A subscription that was deleted and created again begins anew.
   */
  listChanges(
    workspace: string,
    key: string,
    after: number | "newest" | null,
    size: PageSize,
    audienceKey?: string,
  ): Promise<(PageRows<ChangeRow> & { position: number }) | Refused>;

  /**
   * Finds the work that a process can do now: whether changes wait to be logged, and whether watches are to begin. For each reader it
   * finds whether the subscription takes a change after the position. A process asks for all its readers and consumers at once.
   * - `found` is `true` if `listChanges` would resolve with changes, or refuse the reader. It may be `true` for a change of a
   *   contact that was deleted since.
   * - For a consumer `found` is also `true` if the slots differ from `slotState`: one was leased or released, or moved on, or its
   *   lease has ended. It is `true` if the pause of a contact in a free slot is over. Without a subscription it is `false` if
   *   `slotState` is `null`, and `true` otherwise.
   * - `position` is not before the reader's position, and the subscription takes no change between the two. Without a change it
   *   is the end of the log. A storage may look at no more than 10,000 changes in a call. Then it is the position up to which the
   *   storage has looked, and later calls go on there.
   */
  findWork(readers: readonly ChangeReader[]): Promise<FoundWork>;

  /**
   * Removes old changes from the logs of all workspaces, some thousands at most. A change is old if it was logged longer before
   * `now`, a time of the storage's clock, than the longest `keepDays` of the subscriptions of its workspace. Resolves with whether
   * it left some.
   */
  removeOldChanges(now: number): Promise<boolean>;
}
