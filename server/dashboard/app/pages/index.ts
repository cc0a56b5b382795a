import type { ComponentType } from "preact";
import type { PageLocation } from "../location.ts";
import { ApiKeys } from "./api-keys/index.tsx";
import { Attributes } from "./attributes/index.tsx";
import { Audiences } from "./audiences/index.tsx";
import { Checklists } from "./checklists/index.tsx";
import { Contacts } from "./contacts/index.tsx";
import { Events } from "./events/index.tsx";
import { Subscriptions } from "./subscriptions/index.tsx";

interface PageEntry {
  /** The first segment of the address. */
  path: string;
  title: string;
  /** The heading over its link; empty for none. */
  group: string;
  /** Gets the query, and the rest of the path behind its own name. */
  Content: ComponentType<PageLocation>;
}

/** All pages, in the order of their links. The first is shown at the start. */
export const pages: readonly PageEntry[] = [
  { path: "contacts", title: "Contacts", group: "", Content: Contacts },
  { path: "events", title: "Events", group: "", Content: Events },
  { path: "audiences", title: "Audiences", group: "", Content: Audiences },
  { path: "checklists", title: "Checklists", group: "", Content: Checklists },
  { path: "attributes", title: "Attributes", group: "Data", Content: Attributes },
  { path: "subscriptions", title: "Subscriptions", group: "Data", Content: Subscriptions },
  { path: "api-keys", title: "API Keys", group: "Settings", Content: ApiKeys },
];
