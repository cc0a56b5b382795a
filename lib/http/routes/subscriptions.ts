import { listChanges, listRecentChanges } from "../../changes.ts";
import { readBacklog } from "../../consuming/backlog.ts";
import { ok } from "../statuses.ts";
import type { Route } from "./route.ts";

export const subscriptionRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/subscriptions/:key/changes",
    access: "read",
    query: { after: "text", limit: "number", wait: "number" },
    name: "listChanges",
    summary: "List the changes of a subscription after a cursor, in the order of the log.",
    successes: [ok],
    output: { items: "Changes", cursor: "ChangeCursor" },
    refusals: ["definition_not_found", "changes_expired"],
    run: async ({ scope, parameters, query, stopping }) => ({
      status: ok,
      body: await listChanges(stopping ? { ...scope, closed: stopping } : scope, parameters["key"], query),
    }),
  },
  {
    method: "GET",
    path: "/subscriptions/:key/changes/recent",
    access: "read",
    query: { limit: "number" },
    name: "listRecentChanges",
    summary: "List the newest changes of a subscription, newest first.",
    successes: [ok],
    output: { items: "RecentChanges" },
    refusals: ["definition_not_found"],
    run: async ({ scope, parameters, query }) => ({
      status: ok,
      body: { items: await listRecentChanges(scope, parameters["key"], query) },
    }),
  },
  {
    method: "GET",
    path: "/subscriptions/:key/backlog",
    access: "read",
    query: {},
    name: "readBacklog",
    summary: "Count the changes of a subscription that wait for its consumers.",
    successes: [ok],
    output: { backlog: "Backlog" },
    refusals: ["definition_not_found"],
    run: async ({ scope, parameters }) => ({
      status: ok,
      body: { backlog: await readBacklog(scope, parameters["key"]) },
    }),
  },
];
