import type { AttributesOf, ContactOf, EventPageOf, KeyOf, NewContactOf, NewEventOf } from "./model/typed.ts";
import type {
  ContactChanges,
  ContactPageRequest,
  Definitions,
  Deletion,
  Page,
  StoredEvent,
  Tracked,
} from "./model/types.ts";

/**
 * The methods inside a transaction. Calls run one after another, even if they are not awaited. `Workspace` extends this type. If
 * this type were a `Pick` of `Workspace`, a typed tracker could not be passed as a plain `Tracker`.
 */
export interface InTransaction<Defined extends Definitions = Definitions> {
  contacts: {
    /** Creates a contact with this email, or updates the contact that has it. `invalid_input`, `external_id_taken`. */
    upsert(input: NewContactOf<Defined>): Promise<{ contact: ContactOf<Defined>; created: boolean }>;
    /** Resolves with `null` if no contact has this externalId. */
    get(externalId: string): Promise<ContactOf<Defined> | null>;
    /** Changes the given fields. `invalid_input`, `contact_not_found`, `email_taken`, `external_id_taken`. */
    update(externalId: string, changes: ContactChanges<AttributesOf<Defined>>): Promise<ContactOf<Defined>>;
    /**
     * Deletes the contact with this externalId or email, and all data about it. `contact_not_found`; `ambiguous_identifier`
     * if one contact has the identifier as its externalId and another as its email.
     */
    delete(identifier: string): Promise<Deletion>;
    /** The same. With `ifExists` it resolves with `null` for an unknown contact. */
    delete(identifier: string, options: { ifExists?: boolean | undefined }): Promise<Deletion | null>;
    /** All contacts, or those that the query finds; oldest first, unless the order says otherwise. `invalid_input`. */
    list(page?: ContactPageRequest): Promise<Page<ContactOf<Defined>>>;
  };
  events: {
    /** Records one event. `invalid_input`, `contact_not_found`, `idempotency_key_reused`. */
    track<EventKey extends KeyOf<"events", Defined>>(
      input: { eventKey: EventKey } & NewEventOf<Defined, EventKey>,
      options?: { idempotencyKey?: string | undefined },
    ): Promise<Tracked>;
    /** Newest first. `contact_not_found`. */
    list(externalId: string, page?: EventPageOf<Defined>): Promise<Page<StoredEvent>>;
  };
}
