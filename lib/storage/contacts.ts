/** The part of the storage port about contacts, and its rows. */
import type { Contact, PlainContactField, Scalar } from "../model/types.ts";
import type { PageRows, Position, Slice } from "./pages.ts";
import type { Faulted, Refused, Silenceable, WriteOptions } from "./results.ts";

/** The methods for contacts. */
export interface ContactStorage {
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
   * The contacts of the workspace that the query finds: first those that `isFound` finds, then those that only `isFoundByWord` finds.
   * Both are in order of `createdAt`, then id. The order `newest` is the reverse of each. A query may look at a part of the contacts
   * only. Its page can then have fewer rows than the limit, or none, though others follow.
   */
  listContacts(workspace: string, slice: ContactSlice): Promise<ContactRows>;

  /** The number of contacts in the workspace. */
  countContacts(workspace: string): Promise<number>;
}

/** The fields of a contact that a write can set. */
export interface ContactFields extends Pick<Contact, PlainContactField> {
  /** Folded (`foldEmail`). */
  email: string;
  /** The contact's own externalId; `null` if its email is used instead. */
  externalId: string | null;
  signedUpAt: number | null;
}

/** Refers to a contact by its externalId, as `findContact` finds it, or by its folded email. */
export type ContactReference = { externalId: string } | { email: string };

/** A position in a list of contacts. `byWord` is set behind all contacts that `isFound` finds. */
export interface ContactPosition extends Position {
  byWord?: true;
}

/** Selects contacts of a list. */
export interface ContactSlice extends Slice {
  after: ContactPosition | null;
  /** Folded (`foldEmail`). The empty text finds every contact. */
  query: string;
  order: "oldest" | "newest";
}

/** The contacts of a page. If others follow, they do so after `next`, or without it after the last row. */
export interface ContactRows extends PageRows<ContactRow> {
  next?: ContactPosition;
}

/** A stored contact. */
export interface ContactRow extends ContactFields {
  workspace: string;
  id: string;
  /** Values by the id of the attribute's definition: an attribute that is deleted and defined anew has no values. */
  attributes: Record<string, Scalar>;
  createdAt: number;
  updatedAt: number;
}

/** The changes of a write to a contact. An absent field keeps its value; an attribute that is `null` is removed. */
export interface ContactPatch {
  fields: Partial<ContactFields>;
  attributes: Record<string, Scalar | null>;
  /** The ids of all attributes that were defined when the input was validated. Only their values count against the limit. */
  definedAttributeIds: readonly string[];
}

/** A contact to create, or the changes of a contact. */
export interface ContactDraft extends Silenceable {
  workspace: string;
  /** The email or the externalId that the contact has afterwards. Not repeated in `patch.fields`. */
  contact: ContactReference;
  /** The id of the contact if it is created. */
  id: string;
  patch: ContactPatch;
  at: number;
  /** In a draft by email: refuses it if any contact has the email; otherwise absent. */
  insertOnly?: true;
}

/** The changes of the contact with this externalId. */
export interface ContactUpdate {
  workspace: string;
  externalId: string;
  patch: ContactPatch;
  at: number;
}
