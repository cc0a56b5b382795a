import { listChanges, listRecentChanges } from "../../changes/read.ts";
import { readBacklog } from "../../consumers/backlog.ts";
import { listParked, releaseParked, resume } from "../../consumers/parked.ts";
import type { ErrorCode } from "../../model/errors.ts";
import { ok } from "../statuses.ts";
import { pageOutput, pageQuery } from "./pages.ts";
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
    output: { items: "Changes", cursor: "ChangeCursor", more: "MoreChanges" },
    refusals: ["definition_not_found", "changes_expired"],
    run: async ({ scope, parameters, query, caller }) => ({
      status: ok,
      body: await listChanges(scope, parameters["key"], query, caller),
    }),
  },
  {
    method: "GET",
    path: "/subscriptions/:key/changes/recent",
    access: "read",
    query: { limit: "number", audienceKey: "text" },
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
  {
    method: "GET",
    path: "/subscriptions/:key/parked",
    access: "read",
    query: pageQuery,
    name: "listParked",
    summary: "List the contacts that are parked behind a change that failed, in the order of their parking.",
    successes: [ok],
    output: pageOutput("ParkedContacts"),
    refusals: ["definition_not_found"],
    run: async ({ scope, parameters, query }) => ({
      status: ok,
      body: await listParked(scope, parameters["key"], query),
    }),
  },
  releaseRoute("retry", "Try the change of a parked contact again, and then the later ones of the contact.", [
    "changes_expired",
  ]),
  releaseRoute("drop", "Leave the change of a parked contact unhandled, and go on with the next.", []),
  {
    method: "POST",
    path: "/subscriptions/:key/resume",
    access: "admin",
    query: {},
    name: "resumeSubscription",
    summary: "Let consumers go on after `changes_expired`.",
    input: "Resumption",
    successes: [ok],
    output: {},
    refusals: ["definition_not_found"],
    async run({ scope, parameters, body }) {
      await resume(scope, parameters["key"], body);
      return { status: ok, body: {} };
    },
  },
];

function releaseRoute(how: "retry" | "drop", summary: string, refusals: readonly ErrorCode[]): Route {
  return {
    method: "POST",
    path: `/subscriptions/:key/parked/:changeId/${how}`,
    access: "write",
    query: {},
    name: `${how}Change`,
    summary,
    successes: [ok],
    output: {},
    refusals: ["definition_not_found", "change_not_parked", ...refusals],
    async run({ scope, parameters: { key, changeId } }) {
      await releaseParked(scope, key, changeId, how);
      return { status: ok, body: {} };
    },
  };
}
