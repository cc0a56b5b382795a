import type { ConsumerMethods } from "../consumers/methods.ts";
import type { WebhookMethods } from "../webhooks/methods.ts";
import type { InTransaction, ManyOptions, MethodsAnywhere, WriteContacts } from "../in-transaction.ts";
import type { Comparison } from "../provisioning/compare.ts";
import type { ContactExport } from "../exports/contact.ts";
import type { WriteCounts, ItemSource, OnResult } from "../bulk/many.ts";
import type { EventTypeDefinition, EventTypeUsage } from "../model/declarations.ts";
import type { Overviews } from "../model/activity-types.ts";
import type { Change } from "../model/change-types.ts";
import type { ChecklistDefinition, ChecklistProgress, ItemCount } from "../model/checklist-types.ts";
import type { Contact, NewContact, PutContact } from "../model/contact-types.ts";
import type { RemovedDefinition } from "../provisioning/remove-unlisted.ts";
import type {
  AttributesOf,
  EventPageRequest,
  GivenAttributesOf,
  ItemKeyOf,
  KeyedEventOf,
  KeyOf,
  SubscriptionOf,
} from "../model/typed.ts";
import type { AudienceOf, ChecklistOf, RuleOf } from "../model/typed-rules.ts";
import type {
  ApiKey,
  AttributeDefinition,
  ContactPageRequest,
  DefinedSubscription,
  Definitions,
  NewApiKey,
  ListedSubscription,
  Page,
  PageRequest,
  PlainPeriod,
  RecentEvent,
  StoredEvent,
  Tracked,
  Explanation,
  AudienceDefinition,
  Kept,
  Transaction,
} from "../model/types.ts";

/**
 * The methods of one workspace. They validate their input as the HTTP API does, and reject with a `TrackerError` if they
 * refuse a call. Each docstring lists the error codes of its method. A function or an object after the last parameter is refused
 * with a `TypeError`; a number or a list, as `map` passes them on, is ignored.
 */
export interface Workspace<Connection = unknown, Defined extends Definitions = Definitions> extends Overviews<Defined> {
  contacts: MethodsAnywhere<Defined>["contacts"] & {
    /**
     * Upserts contacts from an array, or from an iterable of any length. Starts when it is called, and keeps at most 2,000 items
     * or 4 MiB in memory. Calls `each` with every result, in the order of the items, and awaits it. Rejects with an error that the
     * iterable or `each` throws, after the writes that have begun.
     */
    upsertMany: WriteContacts<ItemSource<NewContact<GivenAttributesOf<Defined>>>, Defined>;
    /** Puts contacts as `upsertMany` upserts them. Each item has its externalId. */
    putMany: WriteContacts<ItemSource<PutContact<GivenAttributesOf<Defined>>>, Defined>;
    /**
     * Yields the contacts of `list`, in pages of 1,000 unless `limit` says otherwise. A contact that exists from the first page to
     * the last is yielded exactly once, whatever is written meanwhile. Each `next` may throw what `list` rejects with.
     */
    each(page?: ContactPageRequest): AsyncGenerator<Contact<AttributesOf<Defined>>, void, undefined>;
    /** The number of contacts in the workspace. */
    count(): Promise<number>;
    /** The keys of the defined audiences whose rules match the contact now, oldest audience first. `contact_not_found`. */
    audiences(externalId: string): Promise<string[]>;
    /** Everything that is kept about one contact, as one JSON document: for a data request. `contact_not_found`. */
    export(externalId: string): Promise<ContactExport<AttributesOf<Defined>>>;
  };
  events: MethodsAnywhere<Defined>["events"] & {
    /** Records events as `contacts.upsertMany` writes contacts. An event may have an idempotency key of its own. */
    trackMany<EventKey extends KeyOf<"events", Defined>>(
      items: ItemSource<{ eventKey: EventKey } & KeyedEventOf<Defined, EventKey>>,
      each?: OnResult<Tracked>,
      options?: ManyOptions,
    ): Promise<WriteCounts>;
    /** The events of all contacts, newest first. A rare event key can cost reading all events of the contacts that did it. */
    recent(page?: EventPageRequest<KeyOf<"events", Defined>>): Promise<Page<RecentEvent>>;
    /** Yields the events of `list`, as `contacts.each` does. `contact_not_found` also if another contact gets the identifier. */
    each(
      externalId: string,
      page?: EventPageRequest<KeyOf<"events", Defined>>,
    ): AsyncGenerator<StoredEvent, void, undefined>;
    /** Yields the events of `recent`: those of all contacts. */
    each(page: EventPageRequest<KeyOf<"events", Defined>>): AsyncGenerator<RecentEvent, void, undefined>;
    /**
     * Removes the events from before a time, except those recorded in the last hour; `recent` is their number. From then on an
     * event with an earlier `createdAt` is refused. Call it again to continue after an interruption.
     * - The results of rules without a period, checklists and counts do not change. `dryRun` only counts.
     * - Calls `onProgress` with the number of events removed so far.
     * - `definition_in_use` if the rule of a defined audience counts some of these events, unless `force`. `invalid_input`.
     * - `storage_unavailable` if another transaction locks contacts for over 5 s. All other contacts' events are removed then.
     */
    prune(
      request: { before: string | Date; dryRun?: boolean | undefined; force?: boolean | undefined },
      onProgress?: (pruned: number) => void,
    ): Promise<{ pruned: number; recent: number }>;
  };
  /** An event whose key has an event type must have its properties. A refusal rests on types that were read at most a second ago. */
  eventTypes: {
    /** Defines the event type, or replaces its name and properties. Idempotent. Changes no recorded event. `invalid_input`. */
    define(definition: EventTypeDefinition): Promise<EventTypeDefinition>;
    /** Oldest first. */
    list(): Promise<EventTypeDefinition[]>;
    /** Deletes the event type, and no event. `definition_not_found`. */
    delete(key: string): Promise<void>;
    /** Usage of every event key, in byte order of the keys. Includes keys without an event type, such as mistyped ones. */
    usage(page?: PageRequest): Promise<Page<EventTypeUsage>>;
  };
  attributes: {
    /** Defines the attribute, or changes its name. Idempotent. `invalid_input`; `attribute_conflict` if its type differs. */
    define(definition: AttributeDefinition): Promise<AttributeDefinition>;
    /** Oldest first. */
    list(): Promise<AttributeDefinition[]>;
    /** Deletes the attribute; its values are never shown again. `definition_not_found`; `definition_in_use` if an audience's rule names it. */
    delete(key: string): Promise<void>;
  };
  /** `members`, `count` and `explain` take the key of an audience, or a rule. An unknown key is `definition_not_found`. */
  audiences: {
    /**
     * Defines the audience, or replaces its name and rule. Idempotent. If a subscription names the audience, a changed rule begins
     * a new first pass over all contacts, unless `announce` is `true`. `invalid_input`.
     */
    define(definition: AudienceOf<Defined>): Promise<AudienceDefinition>;
    /** Oldest first. */
    list(): Promise<AudienceDefinition[]>;
    /** Deletes the audience. `definition_not_found`; `definition_in_use` if a subscription names it. */
    delete(key: string): Promise<void>;
    /**
     * Returns the contacts that match the rule now, in order of contact id. `eventsKeptSince` is set if the rule looks further
     * back than events are kept; also in the explanation.
     * @example const { items, nextCursor } = await tracker.audiences.members("win_back", { limit: 50 });
     */
    members(
      audience: KeyOf<"audiences", Defined> | RuleOf<Defined>,
      page?: PageRequest,
    ): Promise<Page<Contact<AttributesOf<Defined>>> & Kept>;
    /** Yields the members of an audience as `contacts.each` yields contacts. Each page is of the members at that time. */
    each(
      audience: KeyOf<"audiences", Defined>,
      page?: PageRequest,
    ): AsyncGenerator<Contact<AttributesOf<Defined>>, void, undefined>;
    /** The number of contacts that match the rule now. */
    count(audience: KeyOf<"audiences", Defined> | RuleOf<Defined>): Promise<number>;
    /** Explains why the rule matches the contact now, or does not. `contact_not_found`. */
    explain(audience: KeyOf<"audiences", Defined> | RuleOf<Defined>, externalId: string): Promise<Explanation>;
  };
  // Declared here as well: if `complete` were inherited, a typed tracker could not be passed as a plain `Tracker`.
  checklists: {
    /** Defines the checklist, or replaces its name and items. Idempotent. `invalid_input`. */
    define(definition: ChecklistOf<Defined>): Promise<ChecklistDefinition>;
    /** Oldest first. */
    list(): Promise<ChecklistDefinition[]>;
    /** Deletes the checklist, its completions by hand and its dismissals. `definition_not_found`; `definition_in_use` as for attributes. */
    delete(key: string): Promise<void>;
    /**
     * Returns the contact's progress through every checklist, oldest checklist first. `contact_not_found`.
     * @example const [setup] = await tracker.checklists.progress("u_1");
     */
    progress(externalId: string): Promise<ChecklistProgress[]>;
    /** How many contacts completed each item; with a period, of those that completed the first in it. `definition_not_found`. */
    counts(checklistKey: KeyOf<"checklists", Defined>, began?: PlainPeriod): Promise<ItemCount[]>;
    /**
     * Completes an item by hand; completing it again changes nothing. `contact_not_found`. `definition_not_found` if the
     * checklist or the item does not exist. `invalid_input` with the issue `automatic_item` if events complete the item.
     */
    complete<Checklist extends KeyOf<"checklists", Defined>>(
      externalId: string,
      checklistKey: Checklist,
      itemKey: ItemKeyOf<Checklist, Defined>,
    ): Promise<ChecklistProgress>;
    /**
     * Stores that the contact does not want to see the checklist; dismissing it again keeps the first time. The contact still
     * completes its items. `contact_not_found`, `definition_not_found`.
     */
    dismiss(externalId: string, checklistKey: KeyOf<"checklists", Defined>): Promise<ChecklistProgress>;
    /** Takes a dismissal back; without one it changes nothing. `contact_not_found`, `definition_not_found`. */
    restore(externalId: string, checklistKey: KeyOf<"checklists", Defined>): Promise<ChecklistProgress>;
  };
  /** A subscription logs the changes that committed writes cause, in the order of the commits, for readers to act on. */
  subscriptions: {
    /** Defines the subscription, or replaces all of it but its key. Idempotent. `invalid_input`. */
    define(definition: SubscriptionOf<Defined>): Promise<DefinedSubscription>;
    /** Oldest first. */
    list(): Promise<ListedSubscription[]>;
    /** Deletes the subscription. `definition_not_found`. */
    delete(key: string): Promise<void>;
    /**
     * Yields the changes after the cursor or, without one, from the oldest kept change. At the end it waits for more, also while
     * the storage is not available. Each `next` may throw:
     * - `changes_expired` if changes after the cursor are not kept, or a backup was restored; `invalid_input`, `definition_not_found`;
     * - the signal's reason when the signal is aborted, and `storage_unavailable` when the tracker is closed.
     */
    changes(
      key: KeyOf<"subscriptions", Defined>,
      options?: { after?: string | undefined; signal?: AbortSignal | undefined },
    ): AsyncGenerator<Change, never, undefined>;
    /**
     * The newest changes, newest first; 100 by default. May leave out those before the newest 50,000 changes of the workspace. With
     * `audienceKey` only the entries into this audience and the exits from it. `invalid_input`, `definition_not_found`.
     */
    recent(
      key: KeyOf<"subscriptions", Defined>,
      options?: Pick<PageRequest, "limit"> & { audienceKey?: KeyOf<"audiences", Defined> | undefined },
    ): Promise<Change[]>;
  } & ConsumerMethods<Connection, Defined> &
    WebhookMethods<Defined>;
  apiKeys: {
    /** Creates an API key. `key` is the key itself: only its hash is stored, so no later call can show it. `invalid_input`. */
    create(input: NewApiKey): Promise<{ key: string; apiKey: ApiKey }>;
    /** Oldest first, without revoked keys. */
    list(): Promise<ApiKey[]>;
    /** The workspace, and the API key of the caller: that of a client, `null` in process. */
    own(): Promise<{ workspace: string; apiKey: ApiKey | null }>;
    /**
     * Revokes the API key with this id, for good. `api_key_not_found`. The HTTP API, and so a client, refuses to revoke the
     * last valid admin key of the workspace, or the last that never expires: `last_admin_key`.
     */
    revoke(id: string): Promise<void>;
  };
  /**
   * Stores the given definitions, or those of `createTracker`, after checking all of them. Resolves with the differences that it
   * found before. Idempotent. `invalid_input`, `attribute_conflict`; a `TypeError` if there are no definitions.
   */
  provision(definitions?: Definitions): Promise<Comparison>;
  /** How the stored definitions differ from the given ones, or from those of `createTracker`. Changes nothing. */
  compare(definitions?: Definitions): Promise<Comparison>;
  /**
   * Removes the definitions that are not listed. Resolves with them: subscriptions, audiences, then other kinds, each newest first.
   * Counts the contacts that lose data, within the time limit of audiences. `dryRun` removes nothing, and resolves as if the list were
   * stored. `definition_in_use` if a listed audience or subscription names a definition to remove. `invalid_input`.
   */
  removeUnlisted(definitions?: Definitions, options?: { dryRun?: boolean | undefined }): Promise<RemovedDefinition[]>;
  /**
   * Begins a transaction, calls `run` with the methods inside it, commits when `run` resolves, and resolves with its result. If
   * `run` rejects, rolls back and rejects with the same reason.
   * - `connection` writes your own rows in the same transaction. On MySQL it is a connection of mysql2/promise, in READ
   *   COMMITTED. On memory it can only commit and roll back, so your own SQL needs a test double.
   * - `transaction_lost` if the storage rolled the transaction back, even if `run` caught the error. Only then `run` is called
   *   again, up to `tries` times in all: 1 by default, at most 100. A `partial` error means that `run` ended the transaction.
   * - `storage_unavailable` if the outcome of the commit is unknown. `invalid_input`.
   * @example await tracker.transaction((tx) => tx.events.track({ externalId: "u_1", eventKey: "order_paid" }));
   */
  transaction<Result>(
    run: (tx: InTransaction<Defined>, connection: Connection) => Promise<Result>,
    options?: { tries?: number | undefined },
  ): Promise<Result>;
  /**
   * The same methods inside a transaction that you begin and end: its end keeps or undoes their writes. Each call takes effect
   * completely or not at all, and is never retried. Await all calls before you end the transaction.
   * - Do not use an outer and a nested transaction at once.
   * - Await your own statements before a call: a statement that runs while a call fails is undone with it.
   * - `transaction_required` after the transaction has ended, and for a write if it is read-only.
   * - `transaction_lost` if the storage rolled it back: run the whole transaction again. If that error is `partial`, the
   *   transaction ended during the call, and some of its writes may be committed.
   */
  within(transaction: Transaction): InTransaction<Defined>;
}
