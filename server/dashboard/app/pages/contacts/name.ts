import type { Contact } from "../../../../../lib/model/types.ts";

export function nameOf({ name, email }: Pick<Contact, "name" | "email">): string {
  return name || email;
}
