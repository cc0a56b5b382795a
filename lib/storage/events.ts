/** The part of the storage port about events, their summaries and their pruning, and its rows. */
import type { OccurrenceTest } from "./audiences.ts";
import type { ContactReference } from "./contacts.ts";
import type { PageRows, PageSize, Position, Slice } from "./pages.ts";
import type { Faulted, Refused, Silenceable, WriteOptions } from "./results.ts";

/** The methods for events. */
export interface EventStorage {
  /**
   * Records each event together with its summary, or neither. Events may be recorded in any order of their times: a summary has
   * the earliest and the latest. `null` if the contact of an event does not exist.
   * - Refusal: `invalid_input` if the event types of the workspace refuse the event (`refusalOfEvent`), whether its contact exists
   *   or not. The refusal rests on event types that were read at most a second before. A refused event does not try to write its
   *   contact. The other events are recorded.
   * - Replay: an id that the contact has recorded before is counted once, and the result is the recorded event. The same holds for
   *   an idempotency hash, even if the contact's identifiers have changed. An event that was recorded under the id, or under the
   *   hash with the same fingerprint, is never refused.
   * - Checklists: an event that brings the count of its key to one of `completingCounts` is stored with the items that
   *   `completeItems` returns. Exactly one of a contact's events completes an item. Events of one call see each other's counts.
   */
  recordEvents(items: readonly EventDraft[], options?: WriteOptions): Promise<(EventRow | Refused | Faulted | null)[]>;

  /** A contact's events, or those of one key: latest `createdAt` first, then highest id. `null` if there is no such contact. */
  listEvents(
    workspace: string,
    externalId: string,
    eventKey: string | null,
    slice: Slice,
  ): Promise<PageRows<EventRow> | null>;

  /** The events of all contacts, or those of one key, in the order of `listEvents`, each with its contact's names. */
  listRecentEvents(workspace: string, eventKey: string | null, slice: Slice): Promise<PageRows<NamedEvent>>;

  /**
   * The events of the workspace after the id `after`, in order of id, which is the order of recording. Starts at the first
   * event if `after` is `null`. The events of other workspaces count as rows of the page, so that every call is short. `next` is
   * the id of the last event of the page, also of another workspace. At the end `next` is `null`. Can miss an event that is
   * being recorded at the same time.
   */
  listRecorded(
    workspace: string,
    after: string | null,
    size: PageSize,
  ): Promise<{ events: RecordedEvent[]; next: string | null }>;

  /**
   * Stores that events from before this time are not kept, unless a later time is stored already. From then on `recordEvents`
   * refuses an event with an earlier `createdAt` if that is also before its `recordedAt`.
   */
  markPruned(workspace: string, before: number): Promise<void>;

  /**
   * Removes the next of the requested events, some hundreds at most, and their idempotency keys. Unless it is a dry run, they are
   * before the time of `markPruned`. Keeps the summaries. Locks their contacts as every write does. Skips the events of a contact
   * that another transaction has locked, without waiting. With `dryRun` it changes nothing, and counts more events a step,
   * including those of locked contacts.
   */
  pruneEvents(workspace: string, request: PruneRequest): Promise<PruneStep>;

  /** The time of `markPruned`; `null` if the workspace keeps all events. */
  findPrunedBefore(workspace: string): Promise<number | null>;

  /** One row per event key, in the order of the keys' bytes; empty if the contact has no events or does not exist. */
  findSummaries(workspace: string, contactId: string): Promise<EventSummary[]>;

  /**
   * The keys of all events in the workspace with the sums of the summaries of all contacts, in the order of the keys' bytes.
   * They begin after the key `after`; with the first if it is `null`.
   */
  listEventUsage(workspace: string, after: string | null, size: PageSize): Promise<PageRows<EventUsage>>;

  /**
   * Counts the events of the workspace, or those of one key, in each span, the contacts that have them, each once, and the contacts
   * created in it. Results are in the order of the spans. A time limit may end them early, but not before the first. The counts of a
   * span that ended before `now` may be up to 60 s old.
   */
  countActivity(
    workspace: string,
    eventKey: string | null,
    spans: readonly Span[],
    now: number,
  ): Promise<ActivityCounts[]>;

  /** The summary of the contact's events that the test counts, whatever its `count`. `null` if there are none, or no contact. */
  summarizeEvents(workspace: string, contactId: string, test: OccurrenceTest): Promise<EventSummary | null>;
}

/** The summary of a contact's events of one key. Audiences and checklists are computed from summaries alone. */
export interface EventSummary {
  eventKey: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** The events of one key, of all contacts of a workspace. */
export interface EventUsage extends EventSummary {
  /** The number of contacts that have such events. */
  contacts: number;
}

/** From `from` until just before `to`. */
export interface Span {
  from: number;
  to: number;
}

/** The counts of a span, by `createdAt`. */
export interface ActivityCounts {
  events: number;
  contacts: number;
  newContacts: number;
}

/** Selects the events that a step of a pruning looks at: in order of `createdAt`, then id, after the position. */
export interface PruneRequest {
  /** Events with an earlier `createdAt` are removed. */
  before: number;
  /** Events recorded at this time or later stay. An id contains the time of recording. */
  recordedBefore: number;
  after: Position | null;
  /** Removes nothing, and counts the events as removed. */
  dryRun?: boolean;
}

/** The result of a step of a pruning. */
export interface PruneStep {
  /** The number of events removed. */
  pruned: number;
  /** Whether events were left because another transaction has locked their contacts. */
  held: boolean;
  /** The position of the last event that it looked at; `null` at the end. */
  next: Position | null;
}

/** An event to record. The library has made its id and times. */
export interface EventDraft extends Silenceable {
  workspace: string;
  id: string;
  contact: ContactReference;
  eventKey: string;
  /** The JSON text of a flat object, stored unchanged. */
  properties: string;
  /** When it happened. Events can be recorded in any order of their times. */
  createdAt: number;
  /** The time of the call. */
  recordedAt: number;
  /** SHA-256 of the idempotency key, as 64 hexadecimal digits; `null` without a key. */
  idempotencyHash: string | null;
  /** SHA-256 of the validated input, as 64 hexadecimal digits; `null` without an idempotency key. */
  fingerprint: string | null;
  /** Whether the event is refused if its key has no event type. */
  mustBeDefined: boolean;
}

/** A stored event. */
export interface EventRow {
  id: string;
  contactId: string;
  eventKey: string;
  properties: string;
  createdAt: number;
  idempotencyHash: string | null;
  fingerprint: string | null;
  /** The JSON text of the checklist items that the event completed, as `completeItems` returns them; `null` if none. */
  completedItems: string | null;
}

/** A stored event, and the externalId by which its contact is found. */
export interface RecordedEvent extends EventRow {
  externalId: string;
}

/** A stored event, and the names of its contact. */
export interface NamedEvent extends RecordedEvent {
  email: string;
  name: string | null;
}
