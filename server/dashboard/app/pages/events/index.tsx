import type { Place } from "../../place.ts";
import { NewestEvents } from "./newest.tsx";
import { EventTypes } from "./types.tsx";

/** `#/events` shows the newest events, `#/events/types` the event types. */
export function Events({ path: [part], query: { event = "" } }: Place) {
  return part === "types" ? <EventTypes /> : <NewestEvents eventKey={event} />;
}
