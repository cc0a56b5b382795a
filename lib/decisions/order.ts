/** Decides which items must take effect in the order of their calls: those that have a name in common. */
import type { ContactDraft, ContactUpdate, EventDraft } from "../storage/rows.ts";
import { foldEmail } from "./find-contact.ts";

/**
 * The names of an event. If two events have a name in common, the later one waits for the earlier one. The first name is the
 * contact's identifier in the event; the second is the idempotency hash.
 */
export function namesOfEvent({ workspace, contact, idempotencyHash }: EventDraft): string[] {
  const name = `${workspace} ${"email" in contact ? contact.email : foldEmail(contact.externalId)}`;
  return idempotencyHash === null ? [name] : [name, `${workspace} ${idempotencyHash}`];
}

/** The names of an upsert. By externalId it has those of an update; by email it has the email and the externalId of the patch. */
export function namesOfContact({ workspace, contact, patch }: ContactDraft): string[] {
  if ("externalId" in contact) return namesOfUpdate({ workspace, externalId: contact.externalId, patch });
  return namesIn(workspace, [contact.email, patch.fields.externalId]);
}

/** The names of an update: its externalId, also folded because it may be an email, and the new email and externalId. */
export function namesOfUpdate({ workspace, externalId, patch }: Omit<ContactUpdate, "at">): string[] {
  return namesIn(workspace, [foldEmail(externalId), externalId, patch.fields.email, patch.fields.externalId]);
}

function namesIn(workspace: string, names: readonly (string | null | undefined)[]): string[] {
  const given = names.filter((name) => typeof name === "string");
  return [...new Set(given)].map((name) => `${workspace} ${name}`);
}

/** Waiting items, by their names. */
export interface Line<Item> {
  join(this: void, item: Item): void;
  /** Whether the item has a name in common with an item that has joined. */
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
