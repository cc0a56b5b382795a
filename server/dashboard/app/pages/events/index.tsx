import { daysIn, spans } from "../../activity.ts";
import type { PageLocation } from "../../location.ts";
import { NewestEvents } from "./newest.tsx";
import { EventTypes } from "./types.tsx";

/** `#/events` shows the newest events, `#/events?event=<key>` the page of a key, `#/events/types` the event types. */
export function Events({ path: [part], query }: PageLocation) {
  return part === "types" ? (
    <EventTypes />
  ) : (
    <NewestEvents eventKey={query["event"] ?? ""} days={daysIn(query, spans, 30)} />
  );
}
