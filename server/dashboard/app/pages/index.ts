import type { ComponentType } from "preact";
import type { RouteName } from "../../../../lib/http/routes/lines.ts";
import type { PageLocation } from "../location.ts";
import { ApiKeys } from "./api-keys/index.tsx";
import { Attributes } from "./attributes/index.tsx";
import { Audiences } from "./audiences/index.tsx";
import { Checklists } from "./checklists/index.tsx";
import { Contacts } from "./contacts/index.tsx";
import { Events } from "./events/index.tsx";
import { Home } from "./home/index.tsx";
import { Subscriptions } from "./subscriptions/index.tsx";

interface PageEntry {
  /** The first segment of the address. */
  path: string;
  title: string;
  /** The heading over its link; empty for none. */
  group: string;
  /** The route that the page cannot do without. */
  needs: RouteName;
  /** Gets the query, and the segments of the path after the first. */
  Content: ComponentType<PageLocation>;
}

/** All pages, in the order of their links. The first is shown at the start. */
export const pages: readonly PageEntry[] = [
  { path: "home", title: "Home", group: "", needs: "countActivity", Content: Home },
  { path: "contacts", title: "Contacts", group: "", needs: "listContacts", Content: Contacts },
  { path: "events", title: "Events", group: "", needs: "listRecentEvents", Content: Events },
  { path: "audiences", title: "Audiences", group: "", needs: "listAudiences", Content: Audiences },
  { path: "checklists", title: "Checklists", group: "", needs: "listChecklists", Content: Checklists },
  { path: "attributes", title: "Attributes", group: "Data", needs: "listAttributes", Content: Attributes },
  { path: "subscriptions", title: "Subscriptions", group: "Data", needs: "listSubscriptions", Content: Subscriptions },
  { path: "api-keys", title: "API Keys", group: "Settings", needs: "listApiKeys", Content: ApiKeys },
];
