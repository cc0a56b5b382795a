import type { OnResult, WriteCounts } from "./bulk/many.ts";
import type {
  AttributesOf,
  EventPageRequest,
  GivenAttributesOf,
  ItemKeyOf,
  KeyedEventOf,
  KeyOf,
  NewEventOf,
  WithContact,
} from "./model/typed.ts";
import type {
  ChecklistProgress,
  Contact,
  ContactChanges,
  ContactPageRequest,
  Definitions,
  Deletion,
  NewContact,
  Page,
  PutContact,
  PutFields,
  StoredEvent,
  Tracked,
} from "./model/types.ts";

/** The options of `contacts.upsertMany` and `events.trackMany`. */
export interface ManyOptions {
  /** `false` keeps the writes out of all subscriptions, so that importing a history sends no mails. `true` by default. */
  notify?: boolean | undefined;
}

/** Writes contacts, and calls `each` with every result. */
export type WriteContacts<Items, Defined extends Definitions> = (
  items: Items,
  each?: OnResult<{ contact: Contact<AttributesOf<Defined>>; created: boolean }>,
  options?: ManyOptions,
) => Promise<WriteCounts>;

/** The methods that are the same inside a transaction and outside. */
export interface MethodsAnywhere<Defined extends Definitions = Definitions> {
  contacts: {
    /**
     * Creates a contact with this email, or updates the contact that has it. An `externalId` in the input replaces the contact's.
     * Use `put` if you have ids of your own. `invalid_input`, `external_id_taken`.
     * @example const { contact, created } = await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada" });
     */
    upsert(
      input: NewContact<GivenAttributesOf<Defined>>,
    ): Promise<{ contact: Contact<AttributesOf<Defined>>; created: boolean }>;
    /**
     * Creates the contact with this externalId of your own, which needs an email, or updates it. Finds it as `get` does, or else a
     * contact without an externalId of its own by the email. Never takes the email of another contact.
     * `invalid_input`, `email_taken`.
     * @example await tracker.contacts.put("u_1", { email: "ada@example.com", plan: "pro" });
     */
    put(
      externalId: string,
      fields: PutFields<GivenAttributesOf<Defined>>,
    ): Promise<{ contact: Contact<AttributesOf<Defined>>; created: boolean }>;
    /**
     * Resolves with `null` if no contact has this externalId.
     * @example const contact = await tracker.contacts.get("u_1");
     */
    get(externalId: string): Promise<Contact<AttributesOf<Defined>> | null>;
    /** Changes the given fields. `invalid_input`, `contact_not_found`, `email_taken`, `external_id_taken`. */
    update(
      externalId: string,
      changes: ContactChanges<GivenAttributesOf<Defined>>,
    ): Promise<Contact<AttributesOf<Defined>>>;
    /**
     * Deletes the contact with this externalId or email, and all data about it. `contact_not_found`; `ambiguous_identifier`
     * if one contact has the identifier as its externalId and another as its email.
     */
    delete(identifier: string): Promise<Deletion>;
    /** The same. With `ifExists` it resolves with `null` for an unknown contact. */
    delete(identifier: string, options: { ifExists?: boolean | undefined }): Promise<Deletion | null>;
    /** All contacts, or those that the query finds; oldest first, unless the order says otherwise. `invalid_input`. */
    list(page?: ContactPageRequest): Promise<Page<Contact<AttributesOf<Defined>>>>;
  };
  events: {
    /**
     * Records one event. With `contact` it writes the contact first: as `contacts.put` with an externalId, else as
     * `contacts.upsert`. After a fault between the two writes the contact stays, and a retry records the event.
     * `invalid_input`, `contact_not_found`, `email_taken`, `external_id_taken`, `idempotency_key_reused`.
     * @example await tracker.events.track({ externalId: "u_1", eventKey: "order_paid", properties: { total: 12 } });
     */
    track<EventKey extends KeyOf<"events", Defined>>(
      input: { eventKey: EventKey } & WithContact<NewEventOf<Defined, EventKey>>,
      options?: {
        /** 1 to 255 visible ASCII characters. A second call with the same key records nothing, and gets the first answer. */
        idempotencyKey?: string | undefined;
      },
    ): Promise<Tracked>;
    /**
     * Returns the contact's events, newest first. `contact_not_found`.
     * @example const { items } = await tracker.events.list("u_1", { eventKey: "order_paid" });
     */
    list(externalId: string, page?: EventPageRequest<KeyOf<"events", Defined>>): Promise<Page<StoredEvent>>;
  };
  checklists: {
    /** Does the same as outside a transaction. `contact_not_found`. */
    progress(externalId: string): Promise<ChecklistProgress[]>;
    /** Does the same as outside a transaction. `contact_not_found`, `definition_not_found`, `invalid_input`. */
    complete<Checklist extends KeyOf<"checklists", Defined>>(
      externalId: string,
      checklistKey: Checklist,
      itemKey: ItemKeyOf<Checklist, Defined>,
    ): Promise<ChecklistProgress>;
  };
}

/**
 * The methods inside a transaction. Calls run one after another, even if they are not awaited. If this type
 * were a `Pick` of `Workspace`, a typed tracker could not be passed as a plain `Tracker`.
 */
export interface InTransaction<Defined extends Definitions = Definitions> {
  contacts: MethodsAnywhere<Defined>["contacts"] & {
    /**
     * Upserts the contacts of an array, with one round of statements for each 500 items or 1 MiB. Calls `each` with every result,
     * in the order of the items, and awaits it. An item that is refused does not affect the others.
     */
    upsertMany: WriteContacts<readonly NewContact<GivenAttributesOf<Defined>>[], Defined>;
    /** Puts contacts as `upsertMany` upserts them. Each item has its externalId. */
    putMany: WriteContacts<readonly PutContact<GivenAttributesOf<Defined>>[], Defined>;
  };
  events: MethodsAnywhere<Defined>["events"] & {
    /** Records events as `contacts.upsertMany` writes contacts. An event may have an idempotency key of its own. */
    trackMany<EventKey extends KeyOf<"events", Defined>>(
      items: readonly ({ eventKey: EventKey } & KeyedEventOf<Defined, EventKey>)[],
      each?: OnResult<Tracked>,
      options?: ManyOptions,
    ): Promise<WriteCounts>;
  };
  checklists: MethodsAnywhere<Defined>["checklists"];
}
