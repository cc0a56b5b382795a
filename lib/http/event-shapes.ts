import { foldEmail } from "../decisions/identity.ts";
import { checkEvent, type CheckedEvent } from "../events.ts";
import { parseEvent } from "../input/events.ts";
import { olderEventStruct } from "../input/structs.ts";

/** Reads either shape of an event. A body with fields of both is checked as the newer; its issues name the older ones. */
export function readEvent(body: unknown, now: number): CheckedEvent {
  if (!isOlder(body)) return checkEvent(body, now);
  const { event: older, happenedAt } = parseEvent(body, olderEventStruct, now);
  const { email, event, properties } = older;
  const contact = { email: foldEmail(email) };
  return { contact, eventKey: event, properties, happenedAt, recordedAt: now, keyField: "event" };
}

function isOlder(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const has = (key: string) => Object.hasOwn(body, key);
  return (has("email") || has("event")) && !has("externalId") && !has("eventKey");
}
