import type { PageProps } from "../index.ts";
import { NewestEvents } from "./newest.tsx";
import { EventTypes } from "./types.tsx";

/** `#/events` shows the newest events, `#/events/types` the event types. */
export function Events({ path: [part], query: { event = "" } }: PageProps) {
  return part === "types" ? <EventTypes /> : <NewestEvents eventKey={event} />;
}
