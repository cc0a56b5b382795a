import { listChanges, listRecentChanges } from "../../changes/read.ts";
import { readBacklog } from "../../consumers/backlog.ts";
import { listParked, releaseParked, resume } from "../../consumers/parked.ts";
import type { ErrorCode } from "../../model/errors.ts";
import { ok } from "../statuses.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import type { Route } from "./route.ts";
import { at } from "./table.ts";

export const subscriptionRoutes: readonly Route[] = [
  {
    ...at("listChanges"),
    query: { after: "text", limit: "number", wait: "number" },
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
    ...at("listRecentChanges"),
    query: { limit: "number", audienceKey: "text" },
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
    ...at("readBacklog"),
    query: {},
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
    ...at("listParked"),
    query: pageQuery,
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
    ...at("resumeSubscription"),
    query: {},
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
    ...at(`${how}Change`),
    query: {},
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
