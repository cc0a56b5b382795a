import { countActivity } from "../../activity.ts";
import { listEvents, listRecentEvents, recordEvent } from "../../events/index.ts";
import { readEvent } from "../../input/events.ts";
import { readIdempotencyKey, replayed } from "../headers.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import { created } from "../statuses.ts";
import { route, type Route } from "./route.ts";

export const eventRoutes: readonly Route[] = [
  route("trackEvent", {
    query: "ignored",
    summary: "Record an event of a contact.",
    input: "EventInput",
    successes: [created],
    output: { event: "TrackedEvent", completedChecklistItems: "CompletedChecklistItems" },
    refusals: ["contact_not_found", "email_taken", "external_id_taken"],
    takesIdempotencyKey: true,
    run({ scope, body, header }) {
      const idempotencyKey = readIdempotencyKey(header("idempotency-key"));
      const recorded = recordEvent(scope, readEvent(body, scope.now()), idempotencyKey);
      return recorded.then(({ event, completedChecklistItems, replayed: isReplay }) => {
        return { status: created, body: { event, completedChecklistItems }, headers: isReplay ? replayed : [] };
      });
    },
  }),
  route("listRecentEvents", {
    query: { ...pageQuery, eventKey: "text" },
    summary: "List the events of all contacts, newest first.",
    output: pageOutput("RecentEvents"),
    call: ({ scope, query }) => listRecentEvents(scope, query),
  }),
  route("countActivity", {
    query: { from: "text", to: "text", by: "text", eventKey: "text", timeZone: "text", total: "boolean" },
    summary: "Count events, active and new contacts by day or week, newest first.",
    output: "Activity",
    call: ({ scope, query }) => countActivity(scope, query),
  }),
  route("listEvents", {
    query: { ...pageQuery, eventKey: "text" },
    summary: "List a contact's events, newest first.",
    output: pageOutput("StoredEvents"),
    refusals: ["contact_not_found"],
    call: ({ scope, parameters: { externalId }, query }) => listEvents(scope, externalId, query),
  }),
];
