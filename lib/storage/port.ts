/**
 * The storage port. What TypeScript cannot say stands here in prose, and every sentence is a test of the storage
 * contract (`whodid/storage-contract`), which every storage passes unchanged.
 *
 * For all methods:
 * - Input is valid and stays the caller's: a storage keeps copies and hands out copies.
 * - Ids and times are in the input, made by the library. Times are whole milliseconds since the Unix epoch.
 * - Text is kept code point for code point: case, accents, trailing blanks, `%`, `_`, backslashes and NUL included. Two texts
 *   are equal when their UTF-8 bytes are.
 * - Nothing of one workspace is seen, counted or changed from another.
 * - A write that resolves is durable. A refusal changes nothing and is an answer, `{ refused }`; a method that rejects met a fault.
 * - When several calls run at once, each item of each takes effect whole, as if they had run one after another.
 */
import type {
  ApiKeyOwner,
  ApiKeyRow,
  Completion,
  CompletionDraft,
  Condition,
  ContactDraft,
  ContactRow,
  ContactUpdate,
  DefinitionOf,
  DefinitionRow,
  EventDraft,
  EventRow,
  EventSummary,
  RateWindow,
  Refused,
  Slice,
  WindowUse,
} from "./rows.ts";
import type { Transaction } from "../types.ts";

export type {
  ApiKeyOwner,
  ApiKeyRow,
  AttributeRow,
  AudienceRow,
  ChecklistRow,
  Completion,
  CompletionDraft,
  Condition,
  ContactFields,
  DefinitionOf,
  DefinitionRow,
  EventSummary,
  Position,
  RateWindow,
  Refused,
  Slice,
  WindowUse,
} from "./rows.ts";

/** What a tracker keeps everything in. Each sentence here is a test of the storage contract. */
export interface Storage {
  /**
   * Creates each contact, or patches the one that has its email. Decided one after another in input order and answered in it;
   * a refused item changes nothing and does not keep the others from being written. However many calls at once name a new
   * email, exactly one answers `created`. A patch that changes nothing keeps `updatedAt`.
   * Refusals: `external_id_taken`, and `invalid_input` for one attribute too many.
   */
  upsertContacts(items: readonly ContactDraft[]): Promise<({ contact: ContactRow; created: boolean } | Refused)[]>;

  /**
   * By the exact externalId, its own or the email that stands in for it; else, with the identifier folded, by the email of a
   * contact without one of its own. `null` when there is none. So find `updateContact`, `recordEvents` and `listEvents` theirs.
   */
  findContact(workspace: string, externalId: string): Promise<ContactRow | null>;

  /** Patches one contact. Refusals: `contact_not_found`, `email_taken`, `external_id_taken`, `invalid_input` as above. */
  updateContact(update: ContactUpdate): Promise<ContactRow | Refused>;

  /**
   * Removes the contact, its events with their idempotency keys, its summaries and its completions: nothing about it is found afterwards, and
   * its email, externalId and idempotency keys are free. The identifier is an externalId, found as by `findContact`, or, folded,
   * the email of any contact. Resolves with the number of events that this call removed.
   * Refusals: `contact_not_found`, and `ambiguous_identifier` where the identifier is one contact's externalId and another's email.
   */
  deleteContact(workspace: string, identifier: string): Promise<{ contactId: string; events: number } | Refused>;

  /** In order of `createdAt`, then id. */
  listContacts(workspace: string, slice: Slice): Promise<ContactRow[]>;

  /**
   * Records each event together with its summary, or nothing of it. Decided in input order and answered in it; `null` for an
   * event whose contact does not exist. An id that the contact has recorded before is answered as it was then and
   * counted once; so is an idempotency hash, whatever the contact's identifiers have become since.
   * An event that makes its key's count what items of the workspace's checklists ask for (`completingCounts`) is given those items,
   * as `completeItems` finds them, and keeps them: of all events exactly one completes an item. Those of one array see each other's
   * counts.
   */
  recordEvents(items: readonly EventDraft[]): Promise<(EventRow | null)[]>;

  /** A contact's events, or those of one key: last `createdAt` first, then last id. `null` when the contact does not exist. */
  listEvents(workspace: string, externalId: string, eventKey: string | null, slice: Slice): Promise<EventRow[] | null>;

  /** One row per event key, in the order of the keys' bytes; empty for a contact that did nothing or does not exist. */
  findSummaries(workspace: string, contactId: string): Promise<EventSummary[]>;

  /** The contacts that the condition holds of, in order of id: after the id of the position, whatever its time. */
  listMembers(workspace: string, condition: Condition, slice: Slice): Promise<ContactRow[]>;

  /** How many contacts the condition holds of. */
  countMembers(workspace: string, condition: Condition): Promise<number>;

  /**
   * Notes that a contact completed an item, and when; again changes nothing. Finds the contact as `findContact` does, and resolves with
   * whether it exists.
   */
  insertCompletion(draft: CompletionDraft): Promise<boolean>;

  /** In any order; empty for a contact that does not exist. */
  findCompletions(workspace: string, contactId: string): Promise<Completion[]>;

  /**
   * Creates the definition, or changes what may change of the one with its kind and key, which keeps its id and `createdAt`:
   * an attribute's name, the whole body of the others. Resolves with what is stored. Refusal: `attribute_conflict`.
   */
  putDefinition(draft: DefinitionRow): Promise<DefinitionRow | Refused>;

  /** Of one kind, in order of `createdAt`, then id. */
  listDefinitions<Kind extends DefinitionRow["kind"]>(workspace: string, kind: Kind): Promise<DefinitionOf<Kind>[]>;

  /** Resolves with whether there was one. */
  deleteDefinition(workspace: string, kind: DefinitionRow["kind"], key: string): Promise<boolean>;

  /** Resolves with `false`, and changes nothing, when a key of this hash exists in any workspace. */
  insertApiKey(row: ApiKeyRow): Promise<boolean>;

  /** By hash alone: the key says which workspace. `null` when there is none. */
  findApiKey(hash: string): Promise<ApiKeyOwner | null>;

  /** In order of `createdAt`, then id. */
  listApiKeys(workspace: string): Promise<ApiKeyRow[]>;

  /** Resolves with whether there was one. */
  deleteApiKey(workspace: string, id: string): Promise<boolean>;

  /**
   * Takes `n` requests of an API key out of its window, as far as `limit` lets it, and resolves with how many had been taken
   * before: `limit` when none was left. However many calls run at once, together they are never let take more than `limit`; of
   * a limit above 1,000, what a process takes a thousandth at a time in advance counts as taken.
   * Also notes the key's use, to the minute, and nothing else for an `n` of 0. A later window starts at zero.
   * When a process whose clock is ahead has begun the next window already, a call takes out of that one, and is answered its
   * start: around a window's end the count is exact, and nothing is given back. A window that begins after the given one's end
   * was begun by a wrong clock, and is forgotten.
   */
  consume(apiKeyId: string, limit: number, window: RateWindow, n: number): Promise<WindowUse>;

  /**
   * The same storage inside a transaction that the caller has opened and ends: for contacts and events; its other methods are
   * those outside. What it wrote is seen inside at once, outside after the commit, and nowhere after a rollback; a contact that
   * it created does not exist elsewhere before. A call inside that rejects leaves nothing of what it wrote.
   * A write elsewhere to a contact that a call inside was to write (refused or not), or that wants an email, externalId or
   * idempotency hash that it wanted, waits for its end, at most 5 s, then rejects with `storage_unavailable`; other writes and all
   * reads do not wait.
   * After the end it rejects with `transaction_required`. Of two transactions that wait for each other one rejects at once with
   * `transaction_lost`, has written nothing and takes no further call.
   */
  within(transaction: Transaction): Storage;

  /**
   * Lets go of what the storage holds. Again is harmless; every other method rejects with `storage_unavailable` afterwards, also
   * one that was called before and still waits for a contact.
   */
  close(): Promise<void>;
}

/** What `within` gives inside the transaction. */
export type ContactAndEventMethods = Pick<
  Storage,
  | "upsertContacts"
  | "findContact"
  | "updateContact"
  | "deleteContact"
  | "listContacts"
  | "recordEvents"
  | "listEvents"
  | "findSummaries"
>;
