/** Leases slots, and takes their changes. */
import { refusalOfTaking } from "../../../lib/decisions/consumers.ts";
import { slotOf } from "../../../lib/decisions/slots.ts";
import { slotCount } from "../../../lib/model/limits.ts";
import type { ConsumerStorage, Taken, TakenChange, TakenSlot, TakeRequest } from "../../../lib/storage/consumers.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { PageRows, PageSize, Refused } from "../../../lib/storage/rows.ts";
import { changesLookedAt } from "../limits.ts";
import { readPage } from "../pages.ts";
import {
  changeStatements,
  slotStatements as sql,
  subscriptionStatements,
  takenChangeStatements,
  text,
  toChange,
  type LogRange,
} from "../sql/index.ts";
import { assertCaughtUp, type OwnRunner, type Step, type Work } from "../transactions/index.ts";
import { takeDue, type FreeSlots, type Target } from "./due.ts";
import { findSubscription } from "../changes/index.ts";

/** A subscription, and the work that a call has found in it. */
interface Look {
  target: Target;
  /** The end of the log. It is read before the changes, so no change is missed. */
  end: number;
  /** Whether slots are leased. */
  busy: boolean;
  /** Whether free slots may have changes up to the end of the log. */
  isNewer: boolean;
  /** Whether the pause of contacts is over. */
  isDue: boolean;
  place: Taken["place"];
}

const expired: Refused = { refused: { code: "changes_expired" } };

export function createTaking(
  runner: OwnRunner,
  logChanges: Storage["logChanges"],
): Pick<ConsumerStorage, "takeChanges"> {
  return {
    async takeChanges(workspace, key, request) {
      const copy = structuredClone(request);
      const { more } = await logChanges();
      const found = await runner.read((work) => look(work, workspace, key, copy));
      if ("refused" in found) return found;
      const { target, busy, isNewer, isDue, place } = found;
      const { subscriptionId } = target;
      if (!isNewer && !isDue) return { subscriptionId, slots: [], busy, more, place };
      const taken = await runner.writeInSteps(null, (work) => take(work, found, copy));
      return "refused" in taken ? taken : { ...taken, more: taken.more || more, place };
    },
  };
}

/** Idle consumers call often, so this neither locks nor writes. */
async function look(work: Work, workspace: string, key: string, request: TakeRequest): Promise<Look | Refused> {
  const { token, probe } = request;
  const found = await findSubscription(work, workspace, key);
  if ("refused" in found) return found;
  const refusal = refusalOfTaking(found, request);
  // A lagging node may show a subscription that was replaced.
  if (refusal) assertCaughtUp(work);
  if (refusal) return refusal;
  const { subscriptionId, topics, first, end } = found;
  const [row] = await work.rows(sql.summarizeSlots(workspace, subscriptionId, token));
  // The statement returns one row.
  const { lowest, lowest_free, free, newest, is_due, slot_state } = row!;
  const isExpired = Number(lowest) < first || Number(lowest) > end;
  // A lagging node may lack positions that another node has stored.
  if (isExpired) assertCaughtUp(work);
  if (isExpired) return expired;
  const isNewer = lowest_free !== null && newest !== null && Number(lowest_free) < Number(newest);
  const target = { workspace, subscriptionId, topics };
  // A probe may take the change of a contact whose pause is not over.
  const [busy, isDue] = [Number(free) < slotCount, Number(is_due) > 0 || probe !== undefined];
  return { target, end, busy, isNewer, isDue, place: { after: end, slotState: text(slot_state) } };
}

/** Looks at a part of the log. Goes on with the next part if it finds no change to take. */
async function take(
  work: Work,
  { target, end: logEnd, isDue }: Look,
  request: TakeRequest,
): Promise<Step<null, Omit<Taken, "place"> | Refused>> {
  const { workspace, subscriptionId } = target;
  const [subscription] = await work.rows(subscriptionStatements.lockSubscription(subscriptionId));
  if (!subscription) return { result: { refused: { code: "definition_not_found" } } };
  const free = await lockFree(work, subscriptionId, request.token);
  const busy = free.size < slotCount;
  if (free.size === 0) return { result: { subscriptionId, slots: [], busy, more: false } };
  const from = Math.min(...free.values());
  if (from < Number(subscription.first_position)) return { result: expired };
  const range = await findPart(work, { workspace, from, to: logEnd });
  const { probe } = request;
  const size = probe ? { ...request, limit: 1 } : request;
  // First, because a contact whose wait ends here has its new changes below.
  const waited = isDue ? await takeDue(work, target, free, size) : null;
  const taken = await takeNew(work, target, free, range, size);
  // A later part of the log may have changes of contacts that do not wait.
  const isNewFirst = probe !== undefined && (taken.rows.length > 0 || range.to < logEnd);
  const due = isNewFirst ? null : waited;
  // If more changes follow, the page has at least one, and the end is the position of its last.
  const end = taken.more ? taken.rows.at(-1)!.row.position : range.to;
  const slots = toSlots([...(due?.rows ?? []), ...taken.rows], free, end);
  const leased = slots.map(({ slot }) => slot);
  const others = [...free.keys()].filter((slot) => !leased.includes(slot));
  await work.write(sql.leaseSlots(subscriptionId, request, leased, others, end));
  if (slots.length === 0 && range.to < logEnd) return { next: null };
  return { result: { subscriptionId, slots, busy, more: (due?.more ?? false) || end < logEnd } };
}

/** The first part of the range, with at most `changesLookedAt` changes. Each change has a position of its own. */
async function findPart(work: Work, range: LogRange): Promise<LogRange> {
  if (range.to - range.from <= changesLookedAt) return range;
  const [cut] = await work.rows(changeStatements.findPosition(range, changesLookedAt));
  return cut ? { ...range, to: Number(cut.position) } : range;
}

async function lockFree(work: Work, subscriptionId: string, token: string): Promise<FreeSlots> {
  const rows = await work.rows(sql.lockFree(subscriptionId, token));
  return new Map(rows.map(({ slot, position }) => [Number(slot), Number(position)]));
}

function takeNew(
  work: Work,
  { subscriptionId, topics }: Target,
  free: FreeSlots,
  range: LogRange,
  size: PageSize,
): Promise<PageRows<TakenChange>> {
  return readPage(
    work,
    size,
    (row) => ({ row: toChange(row), waited: false, failures: 0 }),
    (last, count) => {
      const rest = { ...range, from: last?.row.position ?? range.from };
      return takenChangeStatements.listNew(subscriptionId, topics, [...free.keys()], rest, count);
    },
  );
}

/** Groups the changes by slot, in the order of the first ones. */
function toSlots(taken: readonly TakenChange[], free: FreeSlots, end: number): TakenSlot[] {
  const slots = new Map<number, TakenSlot>();
  for (const change of taken) {
    const slot = slotOf(change.row.contact.id);
    // Only changes of free slots are taken.
    const position = free.get(slot)!;
    const own = slots.get(slot) ?? { slot, position, end: Math.max(position, end), changes: [] };
    own.changes.push(change);
    slots.set(slot, own);
  }
  // Each slot in the list has changes.
  return [...slots.values()].sort((a, b) => a.changes[0]!.row.position - b.changes[0]!.row.position);
}
