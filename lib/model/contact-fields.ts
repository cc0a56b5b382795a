import { avatarUrlMaxBytes, textMaxBytes } from "./limits.ts";
import type { ContactChanges } from "./types.ts";

/** A field of a contact. `maxBytes` is its limit in bytes of UTF-8. A URL is an absolute http(s) URL. */
export type ContactField = { label: string } & ({ kind: "text" | "url"; maxBytes: number } | { kind: "time" });

export type ContactFieldName = Exclude<keyof ContactChanges, "email" | "externalId" | "customAttributes">;

const text = (label: string): ContactField => ({ label, kind: "text", maxBytes: textMaxBytes });

/** The optional fields of a contact, in the order of forms. Validation, OpenAPI, import and dashboard read this list. */
export const contactFields: Readonly<Record<ContactFieldName, ContactField>> = {
  name: text("Name"),
  phone: text("Phone"),
  role: text("Role"),
  plan: text("Plan"),
  avatarUrl: { label: "Avatar URL", kind: "url", maxBytes: avatarUrlMaxBytes },
  signedUpAt: { label: "Signed up at", kind: "time" },
};

export const contactFieldNames = Object.keys(contactFields) as readonly ContactFieldName[];
