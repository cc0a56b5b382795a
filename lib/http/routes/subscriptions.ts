import { listChanges, listRecentChanges } from "../../changes/read.ts";
import { readBacklog } from "../../consumers/backlog.ts";
import { listParked, releaseParked, resume } from "../../consumers/parked.ts";
import * as webhooks from "../../webhooks/index.ts";
import { created } from "../statuses.ts";
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
    summary: "Let consumers go on after `changes_expired`, or again from a time.",
    input: "Resumption",
    refusals: ["definition_not_found", "changes_expired"],
    call: ({ scope, parameters: { key }, body }) => resume(scope, key, body),
  }),
  route("getWebhook", {
    summary: "Tell how the messages of a webhook get on.",
    output: "Webhook",
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key } }) => webhooks.webhookStatus(scope, key),
  }),
  route("listSecrets", {
    summary: "List the secrets that sign the messages of a webhook, without the secrets themselves; the newest first.",
    output: "WebhookSecrets",
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key } }) => webhooks.listSecrets(scope, key),
  }),
  route("createSecret", {
    summary: "Create a secret of a webhook. No later answer shows it. An older one signs for 24 hours more.",
    successes: [created],
    output: { secret: "WebhookSecretText", id: "SecretId", createdAt: "SecretTime", endsAt: "SecretEnd" },
    refusals: ["definition_not_found", "secrets_taken"],
    run: async ({ scope, parameters: { key } }) => ({
      status: created,
      headers: ["Cache-Control", "no-store"],
      body: await webhooks.createSecret(scope, key),
    }),
  }),
  route("deleteSecret", {
    summary: "Delete a secret of a webhook. The one that is left signs without an end.",
    refusals: ["definition_not_found", "secret_not_found"],
    call: ({ scope, parameters: { key, id } }) => webhooks.deleteSecret(scope, key, id),
  }),
  route("enableWebhook", {
    summary: "Let the messages of a webhook go on at once, after it was disabled or down.",
    refusals: ["definition_not_found", "changes_expired"],
    call: ({ scope, parameters: { key } }) => webhooks.enableWebhook(scope, key),
  }),
  route("sendTest", {
    summary: "Send a signed message of the type `webhook.test`. Its result changes nothing.",
    output: "WebhookTest",
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key } }) => webhooks.sendTest(scope, key),
  }),
];
