import { hash } from "node:crypto";
import { Buffer } from "node:buffer";
import { errorBody, toAnswer, type Answer, type ErrorBody } from "../../lib/http/answer.ts";
import { created, ok, statusOf } from "../../lib/http/statuses.ts";
import { eventKeyStruct } from "../../lib/input/identifiers.ts";
import { check, listOf, parse, shape } from "../../lib/input/shapes.ts";
import { idempotencyKeyStruct, propertiesStruct } from "../../lib/input/events.ts";
import { anyItemStruct } from "../../lib/input/structs.ts";
import { issue, TrackerError } from "../../lib/model/errors.ts";
import type { Contact, NewEvent } from "../../lib/model/types.ts";
import { eventMaxBytes, eventsPerRequestMax } from "./agreed.ts";
import { fieldsOf, type TrackerCalls, type Visit } from "./tracker-calls.ts";

/** An event as a page sends it: without a contact, and without a time. */
interface VisitorEvent extends Pick<NewEvent, "eventKey" | "properties"> {
  idempotencyKey: string;
}

interface ItemAnswer {
  status: number;
  body: { success: true } | ErrorBody;
}

const visitorEventStruct = shape<VisitorEvent>({
  eventKey: eventKeyStruct,
  properties: propertiesStruct,
  idempotencyKey: idempotencyKeyStruct,
});

const visitorEventsStruct = shape<{ items: readonly unknown[] }>({
  items: listOf(anyItemStruct, { countMin: 1, countMax: eventsPerRequestMax }),
});

/** The items of a body. Throws `invalid_input` for a body that is no batch. Each item is checked later. */
export function readItems(body: unknown): readonly unknown[] {
  return parse(body, visitorEventsStruct).items;
}

/** Records the events of a visitor. Each item has an answer of its own, and its refusal affects no other. */
export async function recordItems(
  visit: Visit,
  items: readonly unknown[],
  { askOwn, track }: TrackerCalls,
  eventKeys: ReadonlySet<string>,
): Promise<Answer> {
  const found = await askOwn(visit, "GET", "");
  const contactId = (fieldsOf(found)?.["contact"] as Contact | undefined)?.id;
  if (contactId === undefined) return found;
  const checked = items.map((item) => checkItem(item, eventKeys));
  const accepted = checked.filter((item) => "event" in item);
  const events = accepted.map(({ event: { idempotencyKey, ...event } }) => ({
    ...event,
    externalId: visit.externalId,
    idempotencyKey: ownKey(contactId, idempotencyKey),
  }));
  const answer = await track(visit, events);
  const fields = fieldsOf(answer);
  if (!fields) return answer;
  const tracked = (fields["items"] as ItemAnswer[])[Symbol.iterator]();
  // The tracker answers every event.
  const answers = checked.map((item) => ("event" in item ? shown(tracked.next().value!) : item));
  return toAnswer(ok, { success: true, items: answers });
}

function checkItem(item: unknown, eventKeys: ReadonlySet<string>): { event: VisitorEvent } | ItemAnswer {
  const { value: event, issues } = check(item, visitorEventStruct);
  if (issues.length > 0) return refusal(new TrackerError("invalid_input", { issues }));
  // The event is flat, because the check refuses nested objects. `JSON.stringify` could fail on a deeply nested one.
  if (Buffer.byteLength(JSON.stringify(event)) > eventMaxBytes) {
    const tooLong = issue("", "too_long", `Too long: at most ${eventMaxBytes} bytes of JSON.`);
    return refusal(new TrackerError("invalid_input", { issues: [tooLong] }));
  }
  if (eventKeys.has(event.eventKey)) return { event };
  return refusal(new TrackerError("forbidden", { message: "Visitors may not record events of this key." }));
}

function refusal(error: TrackerError): ItemAnswer {
  return { status: statusOf(error.code), body: errorBody(error) };
}

/** A key that neither the host nor another visitor can have by chance or by intent. */
function ownKey(contactId: string, idempotencyKey: string): string {
  return `visitor_${hash("sha256", JSON.stringify([contactId, idempotencyKey]), "hex")}`;
}

/** The answer without the completed items, which may be of checklists that are not listed. */
function shown({ status, body }: ItemAnswer): ItemAnswer {
  return status === created ? { status, body: { success: true } } : { status, body };
}
