import { groupBy } from "../groups.ts";
import { countedItems, countedKey } from "./calls.ts";
import { isPrunable, mayBeDeleted, type Evidence, type Finding } from "./evidence.ts";
import { precedes, type Performed } from "./history.ts";
import type { StoredEvent } from "./rows.ts";

/** Each event that was answered is there once, as it was answered; none is there that was refused or that nobody sent. */
export function checkEvents(evidence: Evidence): Finding[] {
  const { performed, rows } = evidence;
  const byId = new Map(rows.events.map((event) => [event.id, event]));
  const byTag = groupBy(rows.events, ({ tag }) => tag);
  const sent = groupBy(performed, ({ step }) => (step.do === "track" ? step.tag : null));
  const missing = [...sent.values()].flat().flatMap((one) => findMissing(evidence, one, byId, byTag));
  const wrong = [...byTag].flatMap(([tag, events]) => findWrong(tag, events, sent.get(tag) ?? []));
  return [...missing, ...wrong];
}

/** The event of a step that was done, if it is not there and should be. */
function findMissing(
  evidence: Evidence,
  one: Performed,
  byId: ReadonlyMap<string, StoredEvent>,
  byTag: ReadonlyMap<string, StoredEvent[]>,
): Finding[] {
  const { step, outcome, answer, callId, begin } = one;
  if (outcome !== "done" || step.do !== "track") return [];
  const event = answer?.event;
  if (!event) {
    const isThere = byTag.has(step.tag) || mayBeGone(evidence, step.slot, begin);
    return isThere ? [] : [{ text: "an imported event is missing", callIds: [callId] }];
  }
  const stored = byId.get(event.id);
  if (stored) {
    const expected = [event.contactId, step.tag, event.eventKey, Date.parse(event.createdAt), event.items.join()];
    const found = [stored.contactId, stored.tag, stored.eventKey, stored.createdAt, stored.items.join()];
    // A contact that was deleted may have the event again, see `isReborn`.
    const isSame = expected.join("|") === found.join("|") || evidence.deletions.has(event.contactId);
    const text = `event ${event.id} is stored as ${found.join("|")}, not as answered: ${expected.join("|")}`;
    return isSame ? [] : [{ text, callIds: [callId] }];
  }
  const isPruned = isPrunable(evidence, { eventKey: event.eventKey, createdAt: Date.parse(event.createdAt) });
  if (!evidence.rows.contacts.has(event.contactId) || evidence.reborn.has(event.contactId) || isPruned) return [];
  if (mayBeHalfDeleted(evidence, one)) return [];
  return [{ text: `event ${event.id} of contact ${event.contactId} is missing`, callIds: [callId] }];
}

/** Whether a contact that no answer names may have been deleted since. */
function mayBeGone(evidence: Evidence, slot: number, since: number): boolean {
  const isLater = ({ step, end }: Performed): boolean => step.slot === slot && end > since;
  return [...evidence.deletions.values()].flat().some(isLater) || mayBeDeleted(evidence, slot, since);
}

/** A deletion that was interrupted may have removed events, a thousand at a time, and not the contact. */
function mayBeHalfDeleted(evidence: Evidence, { step, begin, answer }: Performed): boolean {
  const events = evidence.byContact.get(answer!.event!.contactId)!.filter((other) => other.answer?.event);
  return events.length >= 900 && mayBeDeleted(evidence, step.slot, begin);
}

function findWrong(tag: string, events: readonly StoredEvent[], steps: readonly Performed[]): Finding[] {
  const callIds = steps.map(({ callId }) => callId);
  if (steps.length === 0) return [{ text: `nobody sent the event ${tag}`, callIds }];
  if (events.length > 1) return [{ text: `event ${tag} is stored ${events.length} times`, callIds }];
  const isRefused = steps.every(({ outcome }) => outcome === "refused");
  return isRefused ? [{ text: `event ${tag} is stored, and was refused or rolled back`, callIds }] : [];
}

/** The summary of each contact and key is what its events and those that were pruned amount to. */
export function checkSummaries(evidence: Evidence): Finding[] {
  const { performed, rows, reborn } = evidence;
  const stored = new Set(rows.events.map(({ id }) => id));
  const pruned = performed.flatMap(({ outcome, answer }) => {
    const event = outcome === "done" ? answer?.event : undefined;
    if (!event || stored.has(event.id) || !rows.contacts.has(event.contactId)) return [];
    const told = { ...event, createdAt: Date.parse(event.createdAt) };
    return isPrunable(evidence, told) ? [told] : [];
  });
  const counted = groupBy([...rows.events, ...pruned], ({ contactId, eventKey }) => `${contactId} ${eventKey}`);
  const summaries = new Map(rows.summaries.map((row) => [`${row.contactId} ${row.eventKey}`, row]));
  return [...new Set([...counted.keys(), ...summaries.keys()])].flatMap((name) => {
    const contactId = name.split(" ")[0]!;
    const times = (counted.get(name) ?? []).map(({ createdAt }) => createdAt);
    const { count, firstAt, lastAt } = summaries.get(name) ?? { count: 0, firstAt: Infinity, lastAt: -Infinity };
    const isExact = count === times.length && firstAt === Math.min(...times) && lastAt === Math.max(...times);
    if (isExact || reborn.has(contactId)) return [];
    const large = evidence.byContact
      .get(contactId)
      ?.find((one) => one.answer?.event && mayBeHalfDeleted(evidence, one));
    if (large) return [];
    const text = `summary ${name} counts ${count} events from ${firstAt} to ${lastAt}, and there are ${times.length}`;
    return [{ text, callIds: callsOf(evidence, name) }];
  });
}

function callsOf({ byContact }: Evidence, name: string): string[] {
  const [contactId, eventKey] = name.split(" ") as [string, string];
  const ofKey = (byContact.get(contactId) ?? []).filter(({ answer }) => answer?.event?.eventKey === eventKey);
  return ofKey.slice(-10).map(({ callId }) => callId);
}

/** The first events of a contact have each place once. */
export function checkPlaces({ rows, reborn }: Evidence): Finding[] {
  const counted = groupBy(rows.events, ({ contactId, eventKey }) => (eventKey === countedKey ? contactId : null));
  return [...counted].flatMap(([contactId, events]) => {
    const places = events.flatMap(({ items }) => items.map(placeOf)).sort((a, b) => a - b);
    const expected = Array.from({ length: Math.min(events.length, countedItems) }, (_, index) => index + 1);
    if (places.join() === expected.join() || reborn.has(contactId)) return [];
    return [{ text: `the events of ${contactId} completed ${places.join()}`, callIds: [] }];
  });
}

/** What events complete tells their order: it is that of the calls. */
export function checkOrderOfEvents({ byContact, reborn }: Evidence): Finding[] {
  return [...byContact].flatMap(([contactId, all]) => {
    if (reborn.has(contactId)) return [];
    const counted = all.filter(({ answer }) => answer?.event?.eventKey === countedKey && !answer.event.replayed);
    const placed = counted.map((one) => ({ one, place: Math.min(...one.answer!.event!.items.map(placeOf)) }));
    placed.sort((a, b) => a.place - b.place);
    return placed.flatMap(({ one, place }, index) => {
      if (place === Infinity) return [];
      const earlier = placed.slice(index + 1).find((other) => other.place > place && precedes(other.one, one));
      const text = `an event of ${contactId} has place ${place} and one before it has place ${earlier?.place}`;
      return earlier ? [{ text, callIds: [earlier.one.callId, one.callId] }] : [];
    });
  });
}

function placeOf(itemKey: string): number {
  return Number(itemKey.slice(1));
}
