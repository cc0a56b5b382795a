/** The value of a custom attribute or of an event property: text, a finite number, or a boolean. */
export type Scalar = string | number | boolean;

/** A contact in an answer. Every field is present; one that is not set is `null`. Times are ISO 8601 in UTC. */
export interface Contact<CustomAttributes = Record<string, Scalar>> {
  /** A UUIDv7 (RFC 9562) that the library generates. */
  id: string;
  /** A–Z are in lower case. */
  email: string;
  /** Your own identifier of the contact, kept byte for byte. Equal to the email until you set one. */
  externalId: string;
  name: string | null;
  phone: string | null;
  avatarUrl: string | null;
  role: string | null;
  plan: string | null;
  signedUpAt: string | null;
  /** Values by attribute key. Attributes without a value are absent. */
  customAttributes: CustomAttributes;
  createdAt: string;
  /** The time of the last write that changed a value. */
  updatedAt: string;
}

/** The fields of a contact that are stored and answered as they were given. */
export type PlainContactField = Exclude<
  keyof Contact,
  "id" | "email" | "externalId" | "signedUpAt" | "customAttributes" | "createdAt" | "updatedAt"
>;

/** The plain fields that hold a URL. No rule can be about them. */
export type UrlContactField = "avatarUrl";

export type TextContactField = Exclude<PlainContactField, UrlContactField>;

/** The plain fields of a contact that was created without any. */
export const emptyPlainFields: Readonly<Record<PlainContactField, null>> = {
  name: null,
  phone: null,
  avatarUrl: null,
  role: null,
  plan: null,
};

/** The input of `contacts.update`. A field that is absent or `undefined` keeps its value; `null` clears it. */
export interface ContactChanges<CustomAttributes = Record<string, Scalar | Date>> {
  email?: string | undefined;
  /** Once set, it no longer follows the email, even if both are equal. `null` makes it follow the email again. */
  externalId?: string | null | undefined;
  name?: string | null | undefined;
  phone?: string | null | undefined;
  /** An absolute http(s) URL. */
  avatarUrl?: string | null | undefined;
  role?: string | null | undefined;
  plan?: string | null | undefined;
  /** A `Date`, or an ISO 8601 date-time with a zone. Fractions of a millisecond are cut off. */
  signedUpAt?: string | Date | null | undefined;
  /**
   * Merged key by key with the stored values; `null` removes a value. Every key must be defined with `attributes.define`. A date is a
   * `Date`, or an ISO 8601 date-time with a zone, or a date alone, whose first millisecond in UTC it is.
   */
  customAttributes?: { [Key in keyof CustomAttributes]?: CustomAttributes[Key] | null | undefined } | undefined;
}

/** An item of `contacts.putMany`: the contact's own externalId, and the fields to set. A new contact needs an email. */
export interface PutContact<CustomAttributes = Record<string, Scalar | Date>> extends Omit<
  ContactChanges<CustomAttributes>,
  "externalId"
> {
  externalId: string;
}

/** The fields of `contacts.put`. */
export type PutFields<CustomAttributes = Record<string, Scalar | Date>> = Omit<
  PutContact<CustomAttributes>,
  "externalId"
> & {
  /** The same externalId again. */
  externalId?: string | undefined;
};

/** The input of `contacts.upsert`: the contact's email, and the fields to set. */
export interface NewContact<CustomAttributes = Record<string, Scalar | Date>> extends ContactChanges<CustomAttributes> {
  email: string;
}
