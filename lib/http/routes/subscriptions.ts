import { listChanges, listRecentChanges } from "../../changes/read.ts";
import { readBacklog } from "../../consumers/backlog.ts";
import { listParked, releaseParked, resume } from "../../consumers/parked.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import { route, type Route } from "./route.ts";

export const subscriptionRoutes: readonly Route[] = [
  route("listChanges", {
    query: { after: "text", limit: "number", wait: "number" },
    summary: "List the changes of a subscription after a cursor, in the order of the log.",
    output: { items: "Changes", cursor: "ChangeCursor", more: "MoreChanges" },
    refusals: ["definition_not_found", "changes_expired"],
    call: ({ scope, parameters: { key }, query, caller }) => listChanges(scope, key, query, caller),
  }),
  route("listRecentChanges", {
    query: { limit: "number", audienceKey: "text" },
    summary: "List the newest changes of a subscription, newest first.",
    output: "RecentChanges",
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key }, query }) => listRecentChanges(scope, key, query),
  }),
  route("readBacklog", {
    summary: "Count the changes of a subscription that wait for its consumers.",
    output: "Backlog",
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key } }) => readBacklog(scope, key),
  }),
  route("listParked", {
    query: pageQuery,
    summary: "List the contacts that are parked behind a change that failed, in the order of their parking.",
    output: pageOutput("ParkedContacts"),
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key }, query }) => listParked(scope, key, query),
  }),
  route("retryChange", {
    summary: "Try the change of a parked contact again, and then the later ones of the contact.",
    refusals: ["definition_not_found", "change_not_parked", "changes_expired"],
    call: ({ scope, parameters: { key, changeId } }) => releaseParked(scope, key, changeId, "retry"),
  }),
  route("dropChange", {
    summary: "Leave the change of a parked contact unhandled, and go on with the next.",
    refusals: ["definition_not_found", "change_not_parked"],
    call: ({ scope, parameters: { key, changeId } }) => releaseParked(scope, key, changeId, "drop"),
  }),
  route("resumeSubscription", {
    summary: "Let consumers go on after `changes_expired`.",
    input: "Resumption",
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key }, body }) => resume(scope, key, body),
  }),
];
