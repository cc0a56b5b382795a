/** Which items take effect in the order in which they were asked for: pure functions, and what waits by its names. */
import type { ContactDraft, ContactUpdate, EventDraft } from "../storage/rows.ts";
import { foldEmail } from "./identity.ts";

/**
 * The names by which events wait for each other: of two with a name in common, the later one waits for the earlier one. These
 * are first the contact, as the event names it, and the idempotency hash.
 */
export function namesOfEvent({ workspace, contact, idempotencyHash }: EventDraft): string[] {
  const name = `${workspace} ${"email" in contact ? contact.email : foldEmail(contact.externalId)}`;
  return idempotencyHash === null ? [name] : [name, `${workspace} ${idempotencyHash}`];
}

/** The same of contacts: the email first, and the externalId that is given. */
export function namesOfContact({ workspace, email, patch }: ContactDraft): string[] {
  const { externalId } = patch.fields;
  return typeof externalId === "string"
    ? [`${workspace} ${email}`, `${workspace} ${externalId}`]
    : [`${workspace} ${email}`];
}

/** The same of updates: the externalId, folded too because it may be an email, and the names that the patch gives. */
export function namesOfUpdate({ workspace, externalId, patch }: ContactUpdate): string[] {
  const names = [foldEmail(externalId), externalId, patch.fields.email, patch.fields.externalId];
  const given = names.filter((name) => typeof name === "string");
  return [...new Set(given)].map((name) => `${workspace} ${name}`);
}

/** Items that wait. */
export interface Line<Item> {
  join(this: void, item: Item): void;
  /** Whether the item has a name in common with one that has joined. */
  isBehind(this: void, item: Item): boolean;
}

/** A line without items. `namesOf` gives the names of an item. */
export function createLine<Item>(namesOf: (item: Item) => readonly string[]): Line<Item> {
  const waiting = new Set<string>();
  return {
    join(item) {
      for (const name of namesOf(item)) waiting.add(name);
    },
    isBehind: (item) => waiting.size > 0 && namesOf(item).some((name) => waiting.has(name)),
  };
}
