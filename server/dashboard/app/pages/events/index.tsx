import type { PageLocation } from "../../location.ts";
import { NewestEvents } from "./newest.tsx";
import { EventTypes } from "./types.tsx";

/** `#/events` shows the newest events, `#/events/types` the event types. */
export function Events({ path: [part], query: { event = "" } }: PageLocation) {
  return part === "types" ? <EventTypes /> : <NewestEvents eventKey={event} />;
}
