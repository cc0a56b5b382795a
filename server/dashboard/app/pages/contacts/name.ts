import type { Contact } from "../../../../../lib/model/types.ts";

/** Returns the name to show for a contact. */
export function nameOf({ name, email }: Pick<Contact, "name" | "email">): string {
  return name || email;
}
