import { foldEmail } from "../contact-writes.ts";
import { properties, type CheckedEvent, newEvent } from "../events.ts";
import { email, eventKey } from "../identifiers.ts";
import type { NewEvent } from "../types.ts";
import { parse, shape } from "../validation.ts";

/** The older request shape of an event: the contact by its email, the event key as `event`. */
interface OlderEvent {
  email: string;
  event: string;
  properties: NewEvent["properties"];
}

const olderEvent = shape<OlderEvent>("OlderEvent", { email, event: eventKey, properties });

/** Reads either shape. A body that has fields of both is checked as the newer one, which names those it does not know. */
export function readEvent(body: unknown): CheckedEvent {
  if (!isOlder(body)) {
    const { externalId, eventKey, properties } = parse(body, newEvent);
    return { contact: { externalId }, eventKey, properties };
  }
  const { email, event, properties } = parse(body, olderEvent);
  return { contact: { email: foldEmail(email) }, eventKey: event, properties };
}

function isOlder(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const has = (key: string) => Object.hasOwn(body, key);
  return (has("email") || has("event")) && !has("externalId") && !has("eventKey");
}
