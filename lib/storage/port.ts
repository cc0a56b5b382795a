/**
 * The storage port. The prose says what TypeScript cannot. The storage contract (`whodid/storage-contract`) has a test for
 * every sentence, and every storage passes it unchanged.
 *
 * For all methods:
 * - The input is valid. A storage copies its input and returns copies: a caller can change both later.
 * - The input contains the ids and times, made by the library. Times are whole milliseconds since the Unix epoch.
 * - Text is kept code point for code point: case, accents, trailing spaces, `%`, `_`, backslashes and NUL included. Two texts
 *   are equal if their UTF-8 bytes are equal.
 * - A call for one workspace never reads, counts or changes data of another.
 * - A write resolves only after its result is durable. This includes rows that it found and did not change. A refusal changes
 *   nothing and is a result, `{ refused }`. A fault rejects.
 * - A write of contacts, events or completions by hand writes its changes in its own transaction (`changesOfContact`,
 *   `changeOfDeletion`, `changesOfEvent`, `changesOfCompletion`). It writes those that a subscription of the workspace takes
 *   (`isTaken`), and no others. Without a commit there are none. `notify: false` writes none. A change never refuses its write.
 * - If several calls run at once, each of their items takes effect completely, as if the items ran one after another.
 *
 * For the lists that take a `PageSize`: the result is a page, `{ rows, more }`. It ends before a row with which it would have more
 * than `limit` rows, or more than `maxBytes`. If there are rows, it has at least one. A storage may end it earlier, where much
 * larger rows begin. `more` is `true` if and only if others follow.
 *
 * For `upsertContacts` and `recordEvents`, which take arrays:
 * - The results have the order of the items. Each item has a result of its own: a refusal or a fault of one does not affect
 *   the others. Inside a transaction a fault rejects the call, and none of its items is written.
 * - Items take effect in input order. An item that waits for the end of a transaction blocks only items that have a
 *   name in common with it (`namesOfEvent`, `namesOfContact`). These take effect after it, in this call and in later ones.
 * - The 5 s that an item waits for a transaction (`within`) begin with its first try.
 * - A storage may refuse an item with `storage_unavailable` if it has no room. With `whenFull: "wait"` the item waits for room.
 */
import type {
  ApiKeyOwner,
  ApiKeyRow,
  Completion,
  CompletionDraft,
  Condition,
  ContactDraft,
  ContactReference,
  ContactRow,
  ContactSlice,
  ContactUpdate,
  DefinitionOf,
  DefinitionRow,
  Dismissal,
  DismissalDraft,
  EventDraft,
  EventRow,
  EventSummary,
  EventUsage,
  OccurrenceTest,
  PageRows,
  PageSize,
  PruneRequest,
  PruneStep,
  RateWindow,
  RecordedEvent,
  Refused,
  Slice,
  WindowUse,
} from "./rows.ts";
import type { ChangeStorage } from "./change-port.ts";
import type { AudienceStorage } from "./audience-port.ts";
import type { ConsumerStorage } from "./consumer-port.ts";
import type { WorkspaceStorage } from "./workspace-port.ts";
import type { Transaction } from "../model/types.ts";

/** The result of an item that failed with a fault. A method for a single item rejects with the fault instead. */
export interface Faulted {
  /** Most often a `TrackerError` with the code `storage_unavailable`. Then it is not known whether the item was written. */
  fault: unknown;
}

/** The handling of an item for which the storage has no room now: "refuse" by default. */
export interface WriteOptions {
  whenFull?: "wait" | "refuse" | undefined;
}

/**
 * Stores all data of a tracker. `Connection` is that of `transaction`, for the caller's own statements.
 */
export interface Storage<Connection = unknown>
  extends ChangeStorage, ConsumerStorage, AudienceStorage, WorkspaceStorage {
  /**
   * Creates each contact, or patches the one that its draft finds. If several calls at once have the same new
   * email or externalId, exactly one of them resolves with `created: true`. A patch that changes nothing keeps `updatedAt`.
   * - A draft by email finds the contact with this email. With `insertOnly` it patches no contact: it is refused with
   *   `email_taken` if any contact has its email.
   * - A draft by externalId finds its contact as `findContact` does, or else the contact without an externalId of its own that has
   *   the email of the patch (`chooseForUpsert`). Afterwards the contact has exactly this externalId of its own.
   *   Without a contact and an email it is refused with `invalid_input`.
   * - Refusals: `email_taken`, `external_id_taken`, `invalid_input` if the contact would have too many attributes, and
   *   `definition_not_found` if an attribute of the patch was deleted before the call by anybody (`refusalOfAttributes`).
   */
  upsertContacts(
    items: readonly ContactDraft[],
    options?: WriteOptions,
  ): Promise<({ contact: ContactRow; created: boolean } | Refused | Faulted)[]>;

  /**
   * Finds a contact by its exact externalId, which is its email if it has none of its own. If no contact has it, folds the
   * text (`foldEmail`) and finds a contact without an externalId of its own by its email. `null` if there is none.
   * `updateContact`, `recordEvents` and `listEvents` find their contact in the same way.
   * A reference by email finds the contact with this email, whether it has an externalId of its own or not.
   */
  findContact(workspace: string, reference: ContactReference): Promise<ContactRow | null>;

  /**
   * Patches one contact. Refusals: `contact_not_found`, `email_taken`, `external_id_taken`, `invalid_input` as above. Outside of
   * transactions upserts and updates that have a name in common (`namesOfContact`, `namesOfUpdate`) take effect in the order of
   * their calls, also if the storage is closed meanwhile. A storage may refuse an update that it has no room for.
   */
  updateContact(update: ContactUpdate): Promise<ContactRow | Refused>;

  /**
   * Removes the contact, its events with their idempotency keys, its summaries, completions, dismissals, memberships and changes,
   * logged or not. Only the change of the deletion itself stays, whose time is `at`. Afterwards nothing about
   * it is found, and its email, externalId and idempotency keys can be used again. The identifier is an externalId, as
   * `findContact` finds it, or the email of any contact, folded. Resolves with the number of events that this call removed.
   * Refusals: `contact_not_found`, and `ambiguous_identifier` if one contact has the identifier as its externalId and another
   * as its email.
   */
  deleteContact(
    workspace: string,
    identifier: string,
    at: number,
  ): Promise<{ contactId: string; events: number } | Refused>;

  /**
   * The contacts of the workspace that the query finds (`isFound`), in order of `createdAt`, then id. The order `newest` is the
   * reverse.
   */
  listContacts(workspace: string, slice: ContactSlice): Promise<PageRows<ContactRow>>;

  /** The number of contacts in the workspace. */
  countContacts(workspace: string): Promise<number>;

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

  /** The events of all contacts, or those of one key, in the order of `listEvents`, each with its contact's externalId. */
  listRecentEvents(workspace: string, eventKey: string | null, slice: Slice): Promise<PageRows<RecordedEvent>>;

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

  /** One row per event key, in the order of the keys' bytes; empty if the contact has no events or does not exist. */
  findSummaries(workspace: string, contactId: string): Promise<EventSummary[]>;

  /**
   * The keys of all events in the workspace with the sums of the summaries of all contacts, in the order of the keys' bytes.
   * They begin after the key `after`; with the first if it is `null`.
   */
  listEventUsage(workspace: string, after: string | null, size: PageSize): Promise<PageRows<EventUsage>>;

  /** The time of `markPruned`; `null` if the workspace keeps all events. */
  findPrunedBefore(workspace: string): Promise<number | null>;

  /** The summary of the contact's events that the test counts, whatever its `count`. `null` if there are none, or no contact. */
  summarizeEvents(workspace: string, contactId: string, test: OccurrenceTest): Promise<EventSummary | null>;

  /** The contacts that meet the condition, in order of id. Starts after the id of the position; its time is ignored. */
  listMembers(workspace: string, condition: Condition, slice: Slice): Promise<PageRows<ContactRow>>;

  /** The number of contacts that meet the condition. */
  countMembers(workspace: string, condition: Condition): Promise<number>;

  /**
   * Stores that a contact completed an item, and when. A second call for the same item changes nothing. Finds the contact as
   * `findContact` does, and resolves with `false` if it does not exist.
   */
  insertCompletion(draft: CompletionDraft): Promise<boolean>;

  /** The contact's completions by hand, in any order; empty if the contact does not exist. */
  findCompletions(workspace: string, contactId: string): Promise<Completion[]>;

  /**
   * Stores that a contact dismissed a checklist, and when. A second call keeps the first time. With `null` it removes the
   * dismissal. Finds the contact as `findContact` does, and resolves with `false` if it does not exist. Causes no change in the
   * log.
   */
  putDismissal(draft: DismissalDraft): Promise<boolean>;

  /** The contact's dismissals, in any order; empty if the contact does not exist. */
  findDismissals(workspace: string, contactId: string): Promise<Dismissal[]>;

  /**
   * Creates the definition, or updates the one with the same kind and key: an attribute's name, the whole body of the other
   * kinds. An updated definition keeps its id and `createdAt`. Resolves with the stored row. Writes that this storage begins
   * afterwards know a new subscription; those of other processes know it after some seconds (`subscriptionStartMs`). Refusals: `attribute_conflict`, and
   * `invalid_input` if the rule of an audience does not fit the attributes and checklists that are defined (`refusalOfAudience`). The
   * same if a subscription names an audience that is not defined (`refusalOfSubscription`).
   */
  putDefinition(draft: DefinitionRow): Promise<DefinitionRow | Refused>;

  /**
   * The definitions of one kind, in order of `createdAt`, then id. They include the writes of this storage. Writes of other
   * processes to the same data may be missing for some seconds, or at most for `maxAgeMs`.
   */
  listDefinitions<Kind extends DefinitionRow["kind"]>(
    workspace: string,
    kind: Kind,
    options?: { maxAgeMs: number },
  ): Promise<DefinitionOf<Kind>[]>;

  /**
   * Resolves with `false` if there is no such definition. Refusal: `definition_in_use` if an audience or a subscription names it
   * (`refusalOfDeletion`). If such a definition is put at the same time, one of the two calls is refused.
   */
  deleteDefinition(workspace: string, kind: DefinitionRow["kind"], key: string): Promise<boolean | Refused>;

  /** Resolves with `false`, and changes nothing, if any workspace has a key with this hash. */
  insertApiKey(row: ApiKeyRow): Promise<boolean>;

  /** Finds a key of any workspace by its hash; `null` if there is none. */
  findApiKey(hash: string): Promise<ApiKeyOwner | null>;

  /** The API keys of the workspace, in order of `createdAt`, then id. */
  listApiKeys(workspace: string): Promise<ApiKeyRow[]>;

  /** Stores the salt unless one is stored. All calls on the same data, even simultaneous ones, resolve with the stored salt. */
  findOrInsertSalt(salt: string): Promise<string>;

  /**
   * Resolves with `false` if the workspace has no such key. With `adminKeyAt`, refuses with `last_admin_key` to delete the only
   * admin key of the workspace that is valid at this time, or the only one that never expires (`refusalOfRevocation`).
   * Simultaneous calls of this kind see each other's deletions.
   */
  deleteApiKey(workspace: string, id: string, options?: { adminKeyAt: number }): Promise<boolean | Refused>;

  /**
   * Takes up to `n` requests out of an API key's window, and resolves with the number that was taken before: `limit` if none
   * was left. All calls together never take more than `limit`, even if they run at once. If `limit` is above 1,000, a process
   * can take a thousandth of it in advance; these requests count as taken.
   * Also stores the minute of the key's use; if `n` is 0, only that. A later window starts at zero.
   * If a process with a fast clock has begun the next window, a call takes out of that window and resolves with its start. So
   * the count is exact around a window's end, and no request is given back. A window that begins later than the end of the
   * given one was begun by a wrong clock, and is forgotten.
   */
  consume(apiKeyId: string, limit: number, window: RateWindow, n: number): Promise<WindowUse>;

  /**
   * The same storage inside a transaction that the caller begins and ends. The methods for contacts, events, completions
   * by hand and dismissals, and `acknowledge`, run inside it; the others run outside. A write is visible inside at once, outside after the commit, nowhere
   * after a rollback. Before the commit, a created contact exists only inside. A call inside that rejects writes nothing.
   * A write outside waits for the end of the transaction if a call inside tried to write the same contact, refused or not. It
   * also waits if it needs an email, externalId or idempotency hash that a call inside tried to take. After 5 s it rejects with
   * `storage_unavailable`. Other writes and all reads do not wait.
   * After the end, every call inside rejects with `transaction_required`. If two transactions wait for each other, one of
   * them rejects at once with `transaction_lost`; nothing of it is written, and it accepts no further call.
   */
  within(transaction: Transaction): Storage;

  /**
   * Begins a transaction, calls `run` once with the same storage inside it, commits when `run` resolves, and resolves with its
   * result. If `run` rejects, rolls back and rejects with the same reason. First waits for the calls inside that were made
   * before `run` settled; later ones reject with `transaction_required`. Rejects with `transaction_lost`, and commits nothing,
   * if the transaction has ended already, even if `run` has caught the error that said so. Rejects with `storage_unavailable`
   * if it is not known whether the transaction was committed. A transaction inside `run` is another one, which waits for this
   * one as any other caller does.
   */
  transaction<Result>(run: (inside: Storage, connection: Connection) => Promise<Result>): Promise<Result>;

  /**
   * Releases the storage's resources; closing it twice is harmless. Afterwards every other method rejects with
   * `storage_unavailable`. So does an earlier call that still waits for a contact, and a `transaction` that is under way:
   * `close` does not wait for its function.
   */
  close(): Promise<void>;
}
