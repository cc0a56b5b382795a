/** The part of the storage port that keeps the log of changes. The storage contract has a test for every sentence. */
import type { CompletedChecklistItem, Scalar } from "../model/types.ts";
import type { ContactFields } from "./contacts.ts";
import type { EventRow } from "./events.ts";
import type { PageRows, PageSize } from "./pages.ts";
import type { Refused } from "./results.ts";

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
   * With `null` they begin with the oldest kept change. A write that resolved before the subscription was created is not among
   * them. With `newest` they are the last ones, in the same order; a storage may leave out those before the newest 50,000
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

interface Common<Kind> {
  kind: Kind;
  id: string;
  at: number;
}

/** The contact at the commit: `externalId` is the effective one. */
interface OfContact {
  contact: { id: string; email: string; externalId: string };
}

/** A change to be written, in the transaction of the write that causes it. */
export type ChangeDraft =
  | (Common<"event_recorded"> & OfContact & { event: Pick<EventRow, "eventKey" | "createdAt"> })
  | (Common<"contact_created" | "contact_updated"> & OfContact & { changed: ChangedValues })
  | (Common<"contact_deleted"> & { contact: { id: string; externalId: string | null } })
  | (Common<"item_completed"> & OfContact & { item: CompletedChecklistItem })
  | (Common<"checklist_completed"> & OfContact & { checklistKey: string })
  | (Common<"audience_entered" | "audience_left"> & OfContact & OfAudience);

/** `own` is the id of the subscription that alone takes the change. `current` marks a member that a first pass found. */
interface OfAudience {
  audienceKey: string;
  own?: string;
  current?: true;
}

/** The values of a field before and after a write. `null` if the values of the write together have too many bytes. */
export type ChangedValue = { before: Scalar | null; after: Scalar | null } | null;

/** The fields that a write changed. `fields.externalId` is the effective one; `attributes` are by the ids of their definitions. */
export interface ChangedValues {
  fields: { [Field in keyof ContactFields]?: ChangedValue };
  attributes: Record<string, ChangedValue>;
}

/** A change in the log. */
export type ChangeRow = ChangeDraft & {
  /** Grows along the log. */
  position: number;
  /** The JSON text of the event's properties; `null` for other kinds, and if the event was removed. */
  properties: string | null;
};

/** A reader of the changes of the subscription `key`, or a consumer. */
export interface ChangeReader {
  workspace: string;
  key: string;
  /** The position up to which it has read. */
  after: number;
  /** Given by a consumer, from the `place` of the last `takeChanges`. */
  slotState?: string | null;
}

/** The next change of a reader: whether there is one, and a position that it comes after. */
export interface NextChange {
  found: boolean;
  position: number;
}

/** The work that a process can do now. */
export interface FoundWork {
  /** In the order of the readers. */
  next: NextChange[];
  /** Whether changes wait to be logged. */
  isUnlogged: boolean;
  /** Whether `beginWatches` may have something to do. */
  isUnready: boolean;
  /** Whether any workspace has a subscription. */
  isUsed: boolean;
}
