import { apiKeyRoutes } from "./api-keys.ts";
import { audienceRoutes } from "./audiences.ts";
import { batchRoutes } from "./batches.ts";
import { checklistRoutes } from "./checklists.ts";
import { contactRoutes } from "./contacts.ts";
import { definitionRoutes } from "./definition-routes.ts";
import { eventRoutes } from "./events.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { createMatcher, type Matcher } from "./match.ts";
import type { Route } from "./route.ts";

/** All routes. Matching, the `Allow` header, HEAD and the OpenAPI document use this table. */
export const routes: readonly Route[] = [
  // Matching tries the patterns in this order, and POST /events is sent most.
  ...eventRoutes,
  ...contactRoutes,
  ...batchRoutes,
  ...definitionRoutes,
  ...audienceRoutes,
  ...checklistRoutes,
  ...subscriptionRoutes,
  ...apiKeyRoutes,
];

export const matchRoute: Matcher<Route> = createMatcher(routes);
