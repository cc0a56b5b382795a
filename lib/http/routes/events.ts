import { listEvents, listRecentEvents, recordEvent } from "../../events/index.ts";
import { readEvent } from "../../input/events.ts";
import { readIdempotencyKey, replayed } from "../headers.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import { created, ok } from "../statuses.ts";
import type { Route } from "./route.ts";
import { at } from "./table.ts";

export const eventRoutes: readonly Route[] = [
  {
    ...at("trackEvent"),
    summary: "Record an event of a contact.",
    input: "EventInput",
    successes: [created],
    output: { event: "TrackedEvent", completedChecklistItems: "CompletedChecklistItems" },
    refusals: ["contact_not_found", "email_taken", "external_id_taken"],
    takesIdempotencyKey: true,
    async run({ scope, body: input, header }) {
      const idempotencyKey = readIdempotencyKey(header("idempotency-key"));
      const {
        event,
        completedChecklistItems,
        replayed: isReplay,
      } = await recordEvent(scope, readEvent(input, scope.now()), idempotencyKey);
      return { status: created, body: { event, completedChecklistItems }, headers: isReplay ? replayed : [] };
    },
  },
  {
    ...at("listRecentEvents"),
    query: { ...pageQuery, eventKey: "text" },
    summary: "List the events of all contacts, newest first.",
    successes: [ok],
    output: pageOutput("RecentEvents"),
    refusals: [],
    run: async ({ scope, query }) => ({ status: ok, body: await listRecentEvents(scope, query) }),
  },
  {
    ...at("listEvents"),
    query: { ...pageQuery, eventKey: "text" },
    summary: "List a contact's events, newest first.",
    successes: [ok],
    output: pageOutput("StoredEvents"),
    refusals: ["contact_not_found"],
    run: async ({ scope, parameters, query }) => ({
      status: ok,
      body: await listEvents(scope, parameters["externalId"], query),
    }),
  },
];
