import { completingCounts } from "../../../lib/decisions/completions.ts";
import { decideEvent } from "../../../lib/decisions/events.ts";
import { namesOfEventKey } from "../../../lib/decisions/watches.ts";
import type { EventDraft, EventRow, Refused } from "../../../lib/storage/rows.ts";
import { id as idOf, workspaceStatements, type Fragment, type Name, type Row } from "../sql/index.ts";
import type { Defined } from "../definitions/index.ts";
import { causesNothing, clocksOf, type Subscriptions } from "../changes/index.ts";
import type { WriteAtOnce, rowLocked } from "../transactions/index.ts";
import { severalEventsMax } from "../limits.ts";
import { recordAll, recordInSeveral, recordOne } from "./sql/index.ts";

type Answers = (EventRow | Refused | null | typeof rowLocked)[];
type AtOnce = ReturnType<WriteAtOnce<Answers>>;

/**
 * Records plain events in one round trip. Plain events are new, and their contacts exist and are not locked. They complete no item,
 * change no audience, and no subscription takes them. Returns `null` if one of the drafts may not be plain.
 */
export function recordingAtOnce(
  drafts: readonly EventDraft[],
  { checklists, refusals }: Defined,
  subscriptions: Subscriptions,
  hashes: readonly Name[],
): WriteAtOnce<Answers> | null {
  const isPlain = (draft: EventDraft, index: number): boolean =>
    refusals[index] === null &&
    subscriptions.get(draft.workspace)?.isDeleted === false &&
    completingCounts(checklists.get(draft.workspace) ?? [], draft.eventKey).length === 0 &&
    causesNothing(subscriptions, draft, { kind: "event_recorded", event: draft }, namesOfEventKey(draft.eventKey));
  if (!drafts.every(isPlain) || new Set(hashes.map((name) => name.join(" "))).size < hashes.length) return null;
  const guard = workspaceStatements.guardOf(clocksOf(subscriptions));
  return (form) => (form === "several" ? inSeveral(drafts, hashes, guard) : inCompound(drafts, hashes, guard));
}

function inSeveral(drafts: readonly EventDraft[], hashes: readonly Name[], guard: Fragment): AtOnce {
  if (drafts.length > severalEventsMax) return null;
  return {
    sequence: recordInSeveral(drafts, hashes, guard),
    // The last result is the row with the ids of the contacts.
    resultOf: (sets) => ({ result: drafts.map((draft, index) => toEvent(draft, sets.at(-1)![0]![`id${index}`])) }),
  };
}

function inCompound(drafts: readonly EventDraft[], hashes: readonly Name[], guard: Fragment): AtOnce {
  const [only] = drafts;
  if (only && drafts.length === 1) {
    return {
      sequence: recordOne(only, hashes, guard),
      resultOf: (sets) => toResult(drafts, setOf(sets, hashes), () => 1, 1),
    };
  }
  const names: Name[] = [];
  const places = new Map<string, number>();
  for (const { workspace, contact } of drafts) {
    // References by email are rare, and would need other statements.
    if ("email" in contact) return null;
    const name = `${workspace} ${contact.externalId}`;
    if (!places.has(name)) places.set(name, names.push([workspace, contact.externalId]));
  }
  const placeOf = ({ workspace, contact }: EventDraft): number =>
    places.get(`${workspace} ${(contact as { externalId: string }).externalId}`)!;
  return {
    sequence: recordAll(names, drafts, hashes, guard),
    resultOf: (sets) => toResult(drafts, setOf(sets, hashes), placeOf, names.length),
  };
}

/** The rows of the contacts; none if a hash was found. */
function setOf(sets: readonly Row[][], hashes: readonly Name[]): Row[] {
  return sets[hashes.length > 0 ? 1 : 0] ?? [];
}

function toResult(
  drafts: readonly EventDraft[],
  locked: readonly Row[],
  placeOf: (draft: EventDraft) => number,
  count: number,
): { result: Answers } | null {
  if (locked.length < count) return null;
  const ids = new Map(locked.map((row) => [Number(row.place ?? 1), row.id]));
  return { result: drafts.map((draft) => toEvent(draft, ids.get(placeOf(draft)))) };
}

function toEvent(draft: EventDraft, contactId: unknown): Answers[number] {
  const decision = decideEvent<EventRow>(draft, null, null, { id: idOf(contactId) }, null);
  return "added" in decision ? decision.added : decision.answer;
}
