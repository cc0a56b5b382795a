import { foldEmail } from "../model/emails.ts";
import { checkEvent, checkSingleEvent, type CheckedEvent } from "../events/index.ts";
import { parseEvent, type EventStruct } from "../input/events.ts";
import { keyedEventStruct, keyedOlderEventStruct, olderEventStruct, type KeyedOlderEvent } from "../input/structs.ts";

/** Reads either shape of an event. A body with fields of both shapes must fit the newer: the older fields get issues. */
export function readEvent(body: unknown, now: number): CheckedEvent {
  return isOlder(body) ? readOlder(body, now, olderEventStruct) : checkSingleEvent(body, now);
}

/** The same for an item of a batch, which may have an idempotency key. */
export function readKeyedEvent(item: unknown, now: number): CheckedEvent {
  return isOlder(item) ? readOlder(item, now, keyedOlderEventStruct) : checkEvent(item, now, keyedEventStruct);
}

function readOlder(body: unknown, now: number, older: EventStruct<KeyedOlderEvent>): CheckedEvent {
  const { event: parsed, happenedAt } = parseEvent(body, older, now);
  const { email, event, properties, idempotencyKey } = parsed;
  const contact = { email: foldEmail(email) };
  return { contact, eventKey: event, properties, happenedAt, recordedAt: now, idempotencyKey, keyField: "event" };
}

function isOlder(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const has = (key: string) => Object.hasOwn(body, key);
  return (has("email") || has("event")) && !has("externalId") && !has("eventKey");
}
