/**
 * The part of the storage port that watches audiences: it finds who enters and leaves. The storage contract has a test for every
 * sentence.
 *
 * - A workspace watches the audiences that its subscriptions name. Each write of a definition brings its watches up to date, in its
 *   own transaction (`planWatches`). If the rule or a checklist that it names is defined anew, a new watch begins. With `announce`
 *   in the draft of the audience the watch goes on, and so does one whose first pass is announcing.
 * - A subscription with `current` has a watch of its own for each of its audiences. The changes of this watch have the subscription's
 *   id as `own`. All other subscriptions to an audience share one watch.
 * - A watch keeps its members: the contacts that were members when they were last evaluated, at the clock of the watch. A watch
 *   covers a contact once its first pass has reached the contact's id. The pass stores the members that it finds. If the watch
 *   `announces`, it writes a change for each of them in the same transaction (`Watcher.announce`), otherwise none.
 * - A write that changes something that a watched rule names evaluates the contact (`Watcher`) in its own transaction, under
 *   the contact's lock. It does so at the clock of the watch and, if that is behind, at its own time too. Where the results differ
 *   after the write, the next sweep decides. Otherwise, if the write itself changes one of them, and the stored membership differs,
 *   the membership and its change are written. They come after the other changes of the write. With `notify: false` there is no change.
 * - An evaluation counts the events that are stored, and the event of the write. Removing events evaluates no contact: the next sweep
 *   finds the contacts that enter or leave because of the removal.
 * - In a caller's transaction with an older snapshot the evaluation may miss what others have recorded since. Sweeps correct it.
 * - A write that touches a rule which a later version has defined throws `definition_unknown` and writes nothing. Such a rule is
 *   touched by a new contact, and by the fields, events and checklists that it names in the parts that this version knows.
 * - The memberships of a contact that is deleted are removed, without changes.
 */
import type { AttributeType, ChecklistItem, Rule } from "../model/types.ts";

/** The methods that watch audiences. */
export interface WatchStorage {
  /** The watches of the workspace, in any order. */
  listWatches(workspace: string): Promise<WatchRow[]>;

  /** The workspaces with ready watches, in any order. `sweptAt` and `position` are the earliest and the last of their watches. */
  listSweeps(): Promise<Pick<WatchRow, "workspace" | "sweptAt" | "position">[]>;

  /**
   * Runs a step of the first pass of some watch: evaluates the next contacts, in order of id, under their locks. First moves the clock
   * of the watch up to `now`. Also removes some memberships of watches that have ended. A step ends before a contact that
   * another transaction has locked. Resolves with `false` if there is nothing to do now. Several processes may call it at once.
   * Throws `definition_unknown` if only watches whose rules a later version has defined are left.
   */
  beginWatches(now: number): Promise<boolean>;

  /**
   * Claims the next sweep of the workspace's ready watches. Resolves with `true` for one caller, if one of them was not swept for
   * `pauseMs` of the storage's clock.
   */
  claimSweep(workspace: string, pauseMs: number): Promise<boolean>;

  /**
   * Runs a step of a sweep: evaluates the next contacts whose memberships in the ready watches of the workspace differ. First moves
   * the clocks of the watches up to `now`. Compares without locks, and leaves out a contact that another transaction has locked.
   * The step begins after the last `position` of these watches. At its end it stores the position that it reached in all of them,
   * `null` after the last contact. The next call begins there, in any process. Resolves with whether contacts are left. Throws
   * `definition_unknown`, and evaluates none, if a later version has defined one of the rules.
   */
  sweep(workspace: string, now: number): Promise<boolean>;
}

/** The rule of an audience, and the parts of the named definitions that decide who fulfils it. */
export interface WatchedRule {
  rule: Rule;
  /** `body` is absent for the types of 0.2.0, which compares watched rules as texts. */
  attributes: readonly { key: string; id: string; body?: { type: AttributeType } }[];
  checklists: readonly { key: string; id: string; items: readonly Pick<ChecklistItem, "key" | "when">[] }[];
  /** The id of the only subscription that takes the changes of this watch. Absent if subscriptions share the watch. */
  own?: string;
  /** Whether the first pass announces the members that it finds. */
  announces?: true;
}

/** The watch of an audience that subscriptions name. */
export interface WatchRow {
  /** Changes whenever the first pass begins anew. */
  id: string;
  workspace: string;
  audienceKey: string;
  watched: WatchedRule;
  /** The time at which the rule is evaluated. Never goes back. */
  clock: number;
  /** The id up to which the first pass, or the sweep after it, has reached the contacts (`positionAt`); `null` before and after. */
  position: string | null;
  /** When the first pass had reached all contacts, by the storage's clock; `null` before. */
  readyAt: number | null;
  /** The last step of a sweep that included the watch, by the storage's clock; 0 before the first. */
  sweptAt: number;
}
