import { avatarUrlMaxBytes, textMaxBytes } from "./limits.ts";
import type { ContactChanges, TextContactField, UrlContactField } from "./contact-types.ts";

/** A field of a contact. `maxBytes` is its limit in bytes of UTF-8. A URL is an absolute http(s) URL. */
export type ContactField = Limited<"text"> | Limited<"url"> | Time;

type Limited<Kind> = { label: string; kind: Kind; maxBytes: number };
type Time = { label: string; kind: "time" };

export type ContactFieldName = Exclude<keyof ContactChanges, "email" | "externalId" | "customAttributes">;

const text = (label: string): Limited<"text"> => ({ label, kind: "text", maxBytes: textMaxBytes });

/** The optional fields of a contact, in the order of forms. Validation, OpenAPI, import and dashboard read this list. */
export const contactFields: Readonly<
  Record<TextContactField, Limited<"text">> & Record<UrlContactField, Limited<"url">> & { signedUpAt: Time }
> = {
  name: text("Name"),
  phone: text("Phone"),
  role: text("Role"),
  plan: text("Plan"),
  avatarUrl: { label: "Avatar URL", kind: "url", maxBytes: avatarUrlMaxBytes },
  signedUpAt: { label: "Signed up at", kind: "time" },
};

export const contactFieldNames = Object.keys(contactFields) as readonly ContactFieldName[];
