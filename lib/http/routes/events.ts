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
    async run({ scope, body: input, header }) {
      const idempotencyKey = readIdempotencyKey(header("idempotency-key"));
      const event = readEvent(input, scope.now());
      const recorded = await recordEvent(scope, event, idempotencyKey);
      const { event: tracked, completedChecklistItems } = recorded;
      const body = { event: tracked, completedChecklistItems };
      return { status: created, body, headers: recorded.replayed ? replayed : [] };
    },
  }),
  route("listRecentEvents", {
    query: { ...pageQuery, eventKey: "text" },
    summary: "List the events of all contacts, newest first.",
    output: pageOutput("RecentEvents"),
    call: ({ scope, query }) => listRecentEvents(scope, query),
  }),
  route("listEvents", {
    query: { ...pageQuery, eventKey: "text" },
    summary: "List a contact's events, newest first.",
    output: pageOutput("StoredEvents"),
    refusals: ["contact_not_found"],
    call: ({ scope, parameters: { externalId }, query }) => listEvents(scope, externalId, query),
  }),
];
