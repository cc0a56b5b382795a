import type { PageProps } from "../index.ts";
import { ContactList } from "./list.tsx";

/** `#/contacts` lists, `#/contacts/<externalId>` shows one. */
export function Contacts({ path: [externalId], query }: PageProps) {
  return externalId === undefined ? <ContactList query={query} /> : <p>{externalId}</p>;
}
