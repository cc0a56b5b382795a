/** The slots of a subscription, which share its changes among consumers, and the contacts that wait in it. */
import { isTaken } from "../../../lib/decisions/changes.ts";
import { slotOf } from "../../../lib/decisions/slots.ts";
import { fillPage } from "../../../lib/decisions/pages.ts";
import { slotCount } from "../../../lib/model/limits.ts";
import type { ChangeDraft, ChangeRow } from "../../../lib/storage/changes.ts";
import type {
  BacklogRow,
  ParkedRow,
  SlotProgress,
  Taken,
  TakenChange,
  TakeRequest,
} from "../../../lib/storage/consumers.ts";
import type { PageRows, Refused, Slice, SubscriptionRow } from "../../../lib/storage/rows.ts";
import { compare } from "../order.ts";

/** A change in a log. */
export type Logged = ChangeDraft & { position: number };

/** The part of a log that its slots read. */
export interface SlotLog {
  changes(): readonly Logged[];
  end(): number;
  show(change: Logged): ChangeRow;
}

/** The request to take changes, with the time and the slots that no transaction has locked. */
export interface TakeNow extends TakeRequest {
  now: number;
  isUnlocked(slot: number): boolean;
}

/** The slots of one subscription. */
export interface Slots {
  take(subscription: SubscriptionRow, request: TakeNow): Taken;
  /** Whether the slot is leased with the token. */
  isLeased(progress: SlotProgress): boolean;
  /** `isKept` is `false` for a change that was removed with its contact. */
  acknowledge(progress: SlotProgress, now: number, isKept: (position: number) => boolean): void;
  /** `null` if no slot was ever leased. */
  backlog(subscription: SubscriptionRow, now: number): BacklogRow | null;
  parked(slice: Slice): PageRows<ParkedRow>;
  release(changeId: string, how: "retry" | "drop"): Refused | null;
  resume(from: number, how: { back: boolean; forgetsWaiting: boolean }): void;
  /** Forgets that the contact waits. */
  forget(contactId: string): void;
  /** The smallest position of a slot. */
  first(): number;
  /** A text that changes when a position or a lease of the slots changes. */
  state(now: number): string;
  /** Whether the pause of a contact in a free slot is over. */
  isDue(now: number): boolean;
}

interface Slot {
  position: number;
  token: string | null;
  leasedUntil: number;
}

interface WaitingContact {
  /** The position of the change that failed, or of the later change with which the contact continues. */
  position: number;
  changeId: string;
  failures: number;
  /** `null` if the change at the position has not failed. */
  error: string | null;
  /** `null` if the contact is parked. */
  dueAt: number | null;
  failedAt: number;
}

export function createSlots(begin: number, log: SlotLog): Slots {
  const slots: Slot[] = Array.from({ length: slotCount }, () => ({ position: begin, token: null, leasedUntil: 0 }));
  const waiting = new Map<string, WaitingContact>();
  const changeAt = (position: number): Logged | undefined =>
    log.changes().find((change) => change.position === position);

  /**
   * Takes the changes of the contacts that are due. Parks a contact whose failed change is gone. Ends the wait of a contact
   * without changes to take.
   */
  function takeWaiting(
    { on }: SubscriptionRow["body"],
    isFree: readonly boolean[],
    isDue: (contact: WaitingContact) => boolean,
  ): TakenChange[] {
    const due = new Map<string, Logged[]>();
    for (const [contactId, contact] of waiting) {
      if (isFree[slotOf(contactId)] && contact.dueAt !== null && isDue(contact)) due.set(contactId, []);
    }
    for (const change of due.size === 0 ? [] : log.changes()) {
      // `due` contains only waiting contacts, and each slot number is below the number of slots.
      const { id } = change.contact;
      const changes = due.get(id);
      const isNext = changes && change.position >= waiting.get(id)!.position;
      if (isNext && change.position <= slots[slotOf(id)]!.position) changes.push(change);
    }
    return [...due].flatMap(([contactId, changes]) => {
      const contact = waiting.get(contactId)!;
      const isExpired = contact.error !== null && changes[0]?.position !== contact.position;
      const taken = changes.filter((change) => isTaken(on, change));
      if (isExpired) contact.dueAt = null;
      else if (taken.length === 0) waiting.delete(contactId);
      if (isExpired) return [];
      return taken.map((change) => {
        const failures = change.position === contact.position ? contact.failures : 0;
        return { row: log.show(change), waited: true, failures };
      });
    });
  }

  /** Takes the changes of the contact with the oldest failure before the time. */
  function takeProbed(body: SubscriptionRow["body"], isFree: readonly boolean[], before: number): TakenChange[] {
    const tried = Array.from(waiting.values()).filter(({ dueAt, failedAt }) => dueAt !== null && failedAt < before);
    for (const contact of tried.sort((a, b) => a.failedAt - b.failedAt)) {
      const taken = takeWaiting(body, isFree, (each) => each === contact);
      if (taken.length > 0) return taken;
    }
    return [];
  }

  /** The next changes of contacts that do not wait. */
  function* newOnes({ on }: SubscriptionRow["body"], isFree: readonly boolean[]): Generator<Logged, void> {
    const from = Math.min(...slots.filter((_, slot) => isFree[slot]).map(({ position }) => position));
    const changes = log.changes();
    for (let index = changes.findLastIndex(({ position }) => position <= from) + 1; index < changes.length; index++) {
      // `index` is below the length.
      const change = changes[index]!;
      const slot = slotOf(change.contact.id);
      if (!isFree[slot] || change.position <= slots[slot]!.position) continue;
      if (!waiting.has(change.contact.id) && isTaken(on, change)) yield change;
    }
  }

  const isFreeAt = ({ token, leasedUntil }: Slot, now: number): boolean => token === null || leasedUntil <= now;
  const sum = (ofSlot: (slot: Slot) => number): number => slots.reduce((total, slot) => total + ofSlot(slot), 0);
  const stateAt = (now: number): string => {
    const [moved, leased] = [sum(({ position }) => position - begin), sum(({ leasedUntil }) => leasedUntil)];
    return `${moved} ${leased} ${sum((slot) => Number(isFreeAt(slot, now)))}`;
  };

  return {
    take({ id, body }, { token, leaseMs, now, isUnlocked, probe, ...given }) {
      const size = probe ? { ...given, limit: 1 } : given;
      const place = { after: log.end(), slotState: stateAt(now) };
      const isFree = slots.map((slot, index) => isFreeAt(slot, now) && isUnlocked(index));
      // First, because a contact whose wait ends here has its new changes below.
      const waited = probe
        ? takeProbed(body, isFree, probe.failedBefore ?? Infinity)
        : takeWaiting(body, isFree, ({ dueAt }) => dueAt! <= now);
      const next = fillPage(newOnes(body, isFree), size, (change) => ({
        row: log.show(change),
        waited: false,
        failures: 0,
      }));
      if (probe && next.rows.length > 0) waited.length = 0;
      waited.sort((a, b) => a.row.position - b.row.position);
      const due = fillPage(waited, size, (change) => change);
      // If changes follow the page, it has at least one, and its end is the position of its last.
      const end = next.more ? next.rows.at(-1)!.row.position : log.end();
      const taken = [...due.rows, ...next.rows];
      const more = due.more || next.more;
      const busy = isFree.includes(false);
      const taking: Taken = { subscriptionId: id, slots: [], busy, more, place };
      for (const [slot, row] of slots.entries()) {
        if (!isFree[slot]) continue;
        const own = taken.filter((change) => slotOf(change.row.contact.id) === slot);
        const ownEnd = Math.max(row.position, end);
        if (own.length === 0) row.position = ownEnd;
        else {
          Object.assign(row, { token, leasedUntil: now + leaseMs });
          taking.slots.push({ slot, position: row.position, end: ownEnd, changes: own });
        }
      }
      // Each slot in the list has changes.
      taking.slots.sort((a, b) => a.changes[0]!.row.position - b.changes[0]!.row.position);
      return taking;
    },
    isLeased: ({ slot, token }) => slots[slot]?.token === token,
    acknowledge({ slot, position, leaseMs, contact }, now, isKept) {
      // The caller has found the token in this slot.
      const row = slots[slot]!;
      row.position = Math.max(row.position, position);
      if (leaseMs === null) row.token = null;
      else row.leasedUntil = now + leaseMs;
      if (!contact) return;
      const { contactId, changeId, failure } = contact;
      if (failure === null) goOn(waiting.get(contactId), contact.position + 1);
      else if (isKept(contact.position)) {
        const { failures, error, pauseMs } = failure;
        const dueAt = pauseMs === null ? null : now + pauseMs;
        waiting.set(contactId, { position: contact.position, changeId, failures, error, dueAt, failedAt: now });
      }
    },
    backlog({ body }, now) {
      if (slots.every(({ leasedUntil }) => leasedUntil === 0)) return null;
      const left = log.changes().filter((change) => {
        const { position, contact } = change;
        const waits = waiting.get(contact.id);
        // Each slot number is below the number of slots.
        const isLeft = waits
          ? waits.dueAt !== null && position >= waits.position
          : position > slots[slotOf(contact.id)]!.position;
        return isLeft && isTaken(body.on, change);
      });
      const oldestAgeMs = left[0] ? Math.max(0, now - Math.floor(left[0].position / 1_000)) : 0;
      const parked = [...waiting.values()].filter(({ dueAt }) => dueAt === null).length;
      return { changes: left.length, more: false, oldestAgeMs, parked };
    },
    parked(slice) {
      const { after } = slice;
      const rows = Array.from(waiting, ([contactId, contact]) => {
        const { changeId: id, failedAt: createdAt } = contact;
        return { contactId, contact, id, createdAt };
      })
        .filter((row) => row.contact.dueAt === null && (!after || compare(row, after) > 0))
        .sort(compare);
      return fillPage(rows, slice, ({ contact: { position, failures, error }, ...row }) => {
        const change = changeAt(position);
        return { ...row, change: change ? log.show(change) : null, failures, error: error ?? "" };
      });
    },
    release(changeId, how) {
      const contact = [...waiting.values()].find((each) => each.changeId === changeId && each.dueAt === null);
      if (!contact) return { refused: { code: "change_not_parked" } };
      if (how === "drop") goOn(contact, contact.position + 1);
      else if (!changeAt(contact.position)) return { refused: { code: "changes_expired" } };
      else Object.assign(contact, { failures: 0, dueAt: 0 });
      return null;
    },
    resume(from, { back, forgetsWaiting }) {
      for (const slot of slots) {
        Object.assign(slot, { position: back ? from : Math.max(slot.position, from), token: null });
      }
      if (forgetsWaiting) waiting.clear();
    },
    forget: (contactId) => void waiting.delete(contactId),
    first: () => Math.min(...slots.map(({ position }) => position)),
    state: stateAt,
    isDue: (now) =>
      // Each slot number is below the number of slots.
      [...waiting].some(([id, { dueAt }]) => dueAt !== null && dueAt <= now && isFreeAt(slots[slotOf(id)]!, now)),
  };
}

/** Lets the contact continue at the position. Its wait ends when `take` finds no change from there on. */
function goOn(contact: WaitingContact | undefined, position: number): void {
  if (contact) Object.assign(contact, { position, failures: 0, error: null, dueAt: 0 });
}
