import fc from "fast-check";
import type { ActivityRequest, Workspace } from "../../lib/index.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Zones, each with a time around which its clock changed. */
const changes = [
  ["UTC", "2026-01-31T09:00Z"],
  ["Africa/Cairo", "2023-04-27T22:00Z"],
  ["Africa/Cairo", "2023-10-26T21:00Z"],
  ["Asia/Beirut", "2026-03-28T22:00Z"],
  ["Pacific/Apia", "2011-12-30T10:00Z"],
  ["Europe/Berlin", "2026-03-29T01:00Z"],
  ["America/New_York", "2026-11-01T06:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T15:00Z"],
] as const;

/** Hours from the change, half of them on quarters, where bounds are, and a millisecond beside. */
const time = fc
  .tuple(fc.integer({ min: -20 * 24 * 4, max: 20 * 24 * 4 }), fc.constantFrom(-1, 0, 1))
  .map(([quarters, ms]) => (quarters * hourMs) / 4 + ms);

/** Contacts with the times of their creation and of their events, and a request. All times are relative to the change. */
export interface History {
  change: readonly [timeZone: string, at: string];
  contacts: readonly { at: number; events: readonly { at: number; eventKey: string }[] }[];
  ends: readonly [number, number];
  by: "day" | "week";
  eventKey: string | undefined;
  pruned: number | null;
}

export const anyHistory: fc.Arbitrary<History> = fc.record({
  change: fc.constantFrom(...changes),
  contacts: fc.array(
    fc.record({ at: time, events: fc.array(fc.record({ at: time, eventKey: fc.constantFrom("a", "b") })) }),
    { maxLength: 6 },
  ),
  ends: fc.tuple(time, time).filter(([from, to]) => from !== to),
  by: fc.constantFrom("day" as const, "week" as const),
  eventKey: fc.constantFrom(undefined, "a"),
  pruned: fc.option(time),
});

/** Writes the history, with a clock that the function sets, and resolves with the request and the time of the pruning. */
export async function relive(
  workspace: Workspace,
  { change: [timeZone, changedAt], contacts, ends, by, eventKey, pruned }: History,
  setClock: (time: number) => void,
): Promise<{ request: ActivityRequest; prunedBefore: number }> {
  const changed = Date.parse(changedAt);
  for (const [index, { at, events }] of contacts.entries()) {
    setClock(changed + at);
    await workspace.contacts.upsert({ email: `${index}@example.com` });
    setClock(changed + 21 * dayMs);
    const tracked = events.map((event) => ({ createdAt: new Date(changed + event.at), eventKey: event.eventKey }));
    await workspace.events.trackMany(tracked.map((event) => ({ externalId: `${index}@example.com`, ...event })));
  }
  setClock(changed + 22 * dayMs);
  if (pruned !== null) await workspace.events.prune({ before: new Date(changed + pruned) });
  const [from, to] = ends.map((end) => new Date(changed + end)).sort((a, b) => a.getTime() - b.getTime());
  const request = { from: from!, to: to!, by, timeZone, eventKey, total: true };
  return { request, prunedBefore: pruned === null ? -Infinity : changed + pruned };
}

type Counted = readonly [label: string, events: number | null, contacts: number | null, newContacts: number];

/** The answer, each period by the date of its first moment; the last is the total. */
export async function shown(workspace: Workspace, request: ActivityRequest): Promise<Counted[]> {
  const { periods, total } = await workspace.activity(request);
  return [...periods, total!].map(({ from, events, contacts, newContacts }) => [
    dateIn(request.timeZone!, Date.parse(from)),
    events,
    contacts,
    newContacts,
  ]);
}

/** Counts by the dates that a calendar shows for each contact and each event, without any bounds. */
export async function recount(
  workspace: Workspace,
  { from, to, by, timeZone, eventKey }: ActivityRequest,
  prunedBefore: number,
): Promise<Counted[]> {
  const labelOf = (moment: number): string => {
    const date = new Date(dateIn(timeZone!, moment));
    if (by === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    return date.toISOString().slice(0, 10);
  };
  const [oldest, newest] = [labelOf(Number(from)), labelOf(Number(to) - 1)];
  const isInside = (label: string): boolean => oldest <= label && label <= newest;
  // Every quarter of an hour, so that each day that the zone had is there.
  const firstMoments = new Map<string, number>();
  for (let moment = Number(from) - 9 * dayMs; moment < Number(to) + 9 * dayMs; moment += hourMs / 4) {
    const quarter = Math.floor(moment / (hourMs / 4)) * (hourMs / 4);
    const label = labelOf(quarter);
    if (isInside(label) && !firstMoments.has(label)) firstMoments.set(label, quarter);
  }
  const events: { label: string; contactId: string }[] = [];
  for await (const event of workspace.events.each({ ...(eventKey !== undefined && { eventKey }) }))
    events.push({ label: labelOf(Date.parse(event.createdAt)), contactId: event.contactId });
  const created: string[] = [];
  for await (const contact of workspace.contacts.each()) created.push(labelOf(Date.parse(contact.createdAt)));
  const count = (label: string, first: number, has: (label: string) => boolean): Counted => {
    const found = events.filter((event) => has(event.label));
    const contacts = new Set(found.map(({ contactId }) => contactId)).size;
    const isKept = first >= prunedBefore;
    return [label, isKept ? found.length : null, isKept ? contacts : null, created.filter(has).length];
  };
  const labels = [...firstMoments.keys()].sort().reverse();
  const first = firstMoments.get(oldest)!;
  return [
    ...labels.map((label) => count(label, firstMoments.get(label)!, (one) => one === label)),
    count(dateIn(timeZone!, first), first, isInside),
  ];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dateIn(timeZone: string, moment: number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  formats.set(timeZone, format);
  return format.format(moment);
}
