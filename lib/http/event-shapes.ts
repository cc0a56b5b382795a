import { foldEmail } from "../decisions/identity.ts";
import type { CheckedEvent } from "../events.ts";
import { newEventStruct, olderEventStruct } from "../input/structs.ts";
import { parse } from "../input/shapes.ts";

/** Reads either shape of an event. A body with fields of both is checked as the newer; its issues name the older ones. */
export function readEvent(body: unknown): CheckedEvent {
  if (!isOlder(body)) {
    const { externalId, eventKey, properties } = parse(body, newEventStruct);
    return { contact: { externalId }, eventKey, properties, keyField: "eventKey" };
  }
  const { email, event, properties } = parse(body, olderEventStruct);
  return { contact: { email: foldEmail(email) }, eventKey: event, properties, keyField: "event" };
}

function isOlder(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const has = (key: string) => Object.hasOwn(body, key);
  return (has("email") || has("event")) && !has("externalId") && !has("eventKey");
}
