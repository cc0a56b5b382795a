import { isDeepStrictEqual } from "node:util";
import type { Contact, Scalar } from "../../../lib/index.ts";
import type { ContactInput } from "./intents.ts";
import type { Kept } from "./model.ts";
import { times } from "./values.ts";

export function fold(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}

/** A value as it reads back: JSON has one zero. */
export function read(value: Scalar): Scalar {
  return Object.is(value, -0) ? 0 : value;
}

/** A contact that is not stored yet. */
export function blank(email: string, now: string): Kept {
  const shown: Contact = {
    id: "",
    email,
    externalId: email,
    name: null,
    phone: null,
    avatarUrl: null,
    role: null,
    plan: null,
    signedUpAt: null,
    customAttributes: {},
    createdAt: now,
    updatedAt: now,
  };
  return { own: null, shown, events: [] };
}

/** The contact after the write; `before` is left as it was. */
export function merge(before: Kept, input: ContactInput, now: string): Kept {
  const { email, externalId, customAttributes = {}, ...fields } = input;
  const shown = { ...before.shown, ...fields, customAttributes: { ...before.shown.customAttributes } };
  for (const [key, value] of Object.entries(customAttributes)) {
    if (value === null) delete shown.customAttributes[key];
    else shown.customAttributes[key] = read(value);
  }
  if (typeof fields.signedUpAt === "string") shown.signedUpAt = times[fields.signedUpAt]!;
  if (email !== undefined) shown.email = fold(email);
  const own = externalId === undefined ? before.own : externalId;
  shown.externalId = own ?? shown.email;
  const isSame = own === before.own && isDeepStrictEqual(shown, before.shown);
  return { ...before, own, shown: { ...shown, updatedAt: isSame ? shown.updatedAt : now } };
}
