import { foldEmail } from "../decisions/identity.ts";
import { checkEvent, type CheckedEvent } from "../events.ts";
import { parseEvent, type EventStruct } from "../input/events.ts";
import {
  keyedEventStruct,
  keyedOlderEventStruct,
  newEventStruct,
  olderEventStruct,
  type KeyedOlderEvent,
} from "../input/structs.ts";
import type { KeyedEvent } from "../model/types.ts";

/** Reads either shape of an event. A body with fields of both shapes must fit the newer: the older fields get issues. */
export function readEvent(body: unknown, now: number): CheckedEvent {
  return read(body, now, newEventStruct, olderEventStruct);
}

/** The same for an item of a batch, which may have an idempotency key. */
export function readKeyedEvent(item: unknown, now: number): CheckedEvent {
  return read(item, now, keyedEventStruct, keyedOlderEventStruct);
}

function read(
  body: unknown,
  now: number,
  newer: EventStruct<KeyedEvent>,
  older: EventStruct<KeyedOlderEvent>,
): CheckedEvent {
  if (!isOlder(body)) return checkEvent(body, now, newer);
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
