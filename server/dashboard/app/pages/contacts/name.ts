import type { Contact } from "../../../../../lib/types.ts";

/** What a contact is called. */
export function nameOf({ name, email }: Pick<Contact, "name" | "email">): string {
  return name || email;
}
