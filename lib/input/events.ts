import { contactFields } from "../model/contact-fields.ts";
import type { ActivityRequest } from "../model/activity-types.ts";
import { isTimeZone } from "../model/calendar.ts";
import { foldEmail } from "../model/emails.ts";
import { issue } from "../model/errors.ts";
import { idempotencyKeyProblem } from "../model/idempotency-keys.ts";
import { eventsAheadMaxMs, idempotencyKeyMaxCharacters, keyMaxBytes, propertiesPerEventMax } from "../model/limits.ts";
import { parseTime } from "../model/times.ts";
import type { EventContact, FirstEvent, KeyedEvent, NewEvent, PageRequest } from "../model/types.ts";
import type { ContactReference } from "../storage/rows.ts";
import { flag, oneOf, text, textOf, timeStruct } from "./fields.ts";
import { emailStruct, eventKeyStruct, externalIdStruct } from "./identifiers.ts";
import { pageFields } from "./pages.ts";
import { problem } from "./problems.ts";
import { check, leaf, leftOut, optional, refuse, scalarStruct, shape, valuesByName, type Input } from "./shapes.ts";
import { clearable } from "./structs.ts";

/** A validated event. */
export interface CheckedEvent {
  contact: ContactReference;
  /** The contact to upsert before the event is recorded. */
  upserted?: EventContact;
  eventKey: string;
  properties: NewEvent["properties"];
  /** The time that the sender gave; `null` for none. */
  happenedAt: number | null;
  /** The time of the call. */
  recordedAt: number;
  /** The idempotency key in the event itself, which only an item of a list or a batch can have. */
  idempotencyKey: string | undefined;
  /** The name of the field in which the sender gave the event key. */
  keyField: "eventKey" | "event";
}

/** The older shape of a request. It names the contact by its email, and the event key is called `event`. */
interface OlderEvent extends Pick<NewEvent, "properties" | "createdAt"> {
  email: string;
  event: string;
}

type KeyedOlderEvent = OlderEvent & Pick<KeyedEvent, "idempotencyKey">;

export const propertiesStruct: Input<NewEvent["properties"]> = optional(
  valuesByName(scalarStruct, propertiesPerEventMax),
);

const tooLongKey = problem("too_long", `Too long: at most ${idempotencyKeyMaxCharacters} characters.`);

export const idempotencyKeyStruct: Input<string> = leaf(
  "visible ASCII characters",
  (value) => {
    const found = idempotencyKeyProblem(value);
    return found === "too_long" ? tooLongKey : found;
  },
  { type: "string", pattern: `^[!-~]{1,${idempotencyKeyMaxCharacters}}$` },
);

/** The fields of all shapes. `timestamp` is the name of `createdAt` in other products. */
const happened = {
  properties: propertiesStruct,
  createdAt: optional(timeStruct),
  timestamp: leftOut("unknown_field", "There is no such field. The time of an event is createdAt."),
};
const newer = { externalId: externalIdStruct, eventKey: eventKeyStruct, ...happened };
const older = { email: emailStruct, event: eventKeyStruct, ...happened };
const keyed = { idempotencyKey: optional(idempotencyKeyStruct) };

export const newEventStruct: Input<NewEvent> = shape(newer);
export const keyedEventStruct: Input<KeyedEvent> = shape({ ...newer, ...keyed });
export const olderEventStruct: Input<OlderEvent> = shape(older);
export const keyedOlderEventStruct: Input<KeyedOlderEvent> = shape({ ...older, ...keyed });
export const firstEventStruct: Input<FirstEvent> = shape({
  contact: shape<EventContact>({
    email: emailStruct,
    externalId: clearable(externalIdStruct),
    name: clearable(text(contactFields.name.maxBytes)),
  }),
  eventKey: eventKeyStruct,
  ...happened,
});

/** The options of `track`. The HTTP header is defined in draft-ietf-httpapi-idempotency-key-header. */
export const trackOptionsStruct: Input<{ idempotencyKey?: string | undefined }> = shape(keyed);

export const eventPageRequestStruct: Input<PageRequest & { eventKey?: string | undefined }> = shape({
  ...pageFields,
  eventKey: optional(eventKeyStruct),
});

const zone = "the name of a time zone, such as Europe/Berlin";

export const activityRequestStruct: Input<ActivityRequest> = shape({
  from: timeStruct,
  to: timeStruct,
  by: oneOf(["day", "week"] as const),
  eventKey: optional(eventKeyStruct),
  timeZone: optional(textOf(zone, keyMaxBytes, (name) => (isTimeZone(name) ? null : "invalid_format"))),
  total: optional(flag),
});

/** Reads either shape of an event. A body with fields of both shapes must fit the newer: the older fields get issues. */
export function readEvent(body: unknown, now: number): CheckedEvent {
  return isOlder(body) ? readOlder(body, now, olderEventStruct) : checkSingleEvent(body, now);
}

/** Reads either shape of an item of a batch, which may have an idempotency key. */
export function readKeyedEvent(item: unknown, now: number): CheckedEvent {
  return isOlder(item) ? readOlder(item, now, keyedOlderEventStruct) : checkKeyedEvent(item, now);
}

/** Validates an event of the newer shape that is sent alone: only such an event can upsert its contact. */
export function checkSingleEvent(input: unknown, now: number): CheckedEvent {
  if ((Object(input) as Partial<FirstEvent>).contact === undefined) return checkNewer(input, now, newEventStruct);
  const { event, happenedAt } = parseEvent(input, firstEventStruct, now);
  const { contact: upserted, eventKey, properties } = event;
  const { externalId } = upserted;
  const contact = typeof externalId === "string" ? { externalId } : { email: foldEmail(upserted.email) };
  const idempotencyKey = undefined;
  return { contact, upserted, eventKey, properties, happenedAt, recordedAt: now, idempotencyKey, keyField: "eventKey" };
}

/** Validates an item of a list, which may have an idempotency key. */
export function checkKeyedEvent(input: unknown, now: number): CheckedEvent {
  return checkNewer(input, now, keyedEventStruct);
}

function checkNewer(input: unknown, now: number, struct: Input<KeyedEvent>): CheckedEvent {
  const { event, happenedAt } = parseEvent(input, struct, now);
  const { externalId, eventKey, properties, idempotencyKey } = event;
  const contact = { externalId };
  return { contact, eventKey, properties, happenedAt, recordedAt: now, idempotencyKey, keyField: "eventKey" };
}

function readOlder(body: unknown, now: number, struct: Input<KeyedOlderEvent>): CheckedEvent {
  const { event: parsed, happenedAt } = parseEvent(body, struct, now);
  const { email, event, properties, idempotencyKey } = parsed;
  const contact = { email: foldEmail(email) };
  return { contact, eventKey: event, properties, happenedAt, recordedAt: now, idempotencyKey, keyField: "event" };
}

function isOlder(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const has = (key: string) => Object.hasOwn(body, key);
  return (has("email") || has("event")) && !has("externalId") && !has("eventKey");
}

/**
 * Validates and copies an event. `happenedAt` is its time, `null` if it has none. Throws `invalid_input`, also if the time is
 * more than `eventsAheadMaxMs` after `now`.
 */
export function parseEvent<Event extends Pick<NewEvent, "createdAt">>(
  input: unknown,
  struct: Input<Event>,
  now: number,
): { event: Event; happenedAt: number | null } {
  const { value: event, issues } = check(input, struct);
  const given = (event as Partial<Event> | null)?.createdAt;
  if (given === undefined) {
    refuse(issues);
    return { event, happenedAt: null };
  }
  const isTime = !issues.some(({ path }) => path === "" || path === "createdAt");
  const happenedAt = isTime ? (parseTime(given) as number) : now;
  const isAhead = happenedAt > now + eventsAheadMaxMs;
  refuse(isAhead ? [...issues, tooFarAhead] : issues);
  return { event, happenedAt };
}

const tooFarAhead = issue(
  "createdAt",
  "out_of_range",
  `Must be at most ${eventsAheadMaxMs / 60_000} minutes ahead of the clock.`,
);
