import type { PageLocation } from "../../location.ts";
import { ContactPage } from "./contact.tsx";
import { ContactList } from "./list.tsx";

/** `#/contacts` lists, `#/contacts/<externalId>` shows one, `#/contacts/<externalId>/<part>` a part of it. */
export function Contacts({ path: [externalId, part = ""], query }: PageLocation) {
  if (externalId === undefined) return <ContactList query={query} />;
  // With `key`, another contact gets a new component: nothing that was typed for one contact may be saved to another.
  return <ContactPage key={externalId} externalId={externalId} part={part} query={query} />;
}
