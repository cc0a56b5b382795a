/** The logs of changes. A change gets its position when its transaction is committed, so the log is the order of the commits. */
import { isTaken, topicsOf } from "../../../lib/decisions/changes.ts";
import { positionToResume, refusalOfTaking } from "../../../lib/decisions/consumers.ts";
import { fillPage } from "../../../lib/decisions/pages.ts";
import type { ChangeDraft, ChangeReader, ChangeRow, NextChange } from "../../../lib/storage/changes.ts";
import type { SlotProgress, Taken } from "../../../lib/storage/consumers.ts";
import type { PageRows, PageSize, Refused, StoredTopics, SubscriptionRow } from "../../../lib/storage/rows.ts";
import { createSlots, type Logged, type Slots, type TakeNow } from "./slots.ts";

/** The part of a log that writes use. */
export interface ChangeWriter {
  append(change: ChangeDraft): void;
  /** Removes the contact's changes, and its waits in all subscriptions. */
  forget(contactId: string): void;
  /** Whether the slot is leased with the token, outside of transactions. */
  isLeased(progress: SlotProgress): boolean;
  /** Stores the progress of a slot that is still leased. */
  acknowledge(progress: SlotProgress): void;
}

/** The log of one workspace. */
export interface ChangeLog extends ChangeWriter {
  /** Begins a subscription that was created. */
  begin(subscriptionId: string): void;
  /** Ends a subscription that was deleted. */
  end(subscriptionId: string): void;
  list(
    subscription: SubscriptionRow,
    after: number | "newest" | null,
    size: PageSize,
    audienceKey?: string,
  ): (PageRows<ChangeRow> & { position: number }) | Refused;
  findNext(subscription: SubscriptionRow, reader: ChangeReader): NextChange | Refused;
  take(subscription: SubscriptionRow, request: TakeNow): Taken | Refused;
  /** The slots of a subscription that has begun. */
  slotsOf(subscription: SubscriptionRow): Slots;
  resume(subscription: SubscriptionRow, from: "oldest" | "now" | number): Refused | null;
  /** Calls the listener after each change, until the returned function is called. */
  watch(listener: () => void): () => void;
  /** Removes the changes that were logged before the time. */
  removeOld(before: number): void;
}

/** The largest number of changes in a log. More would take too much of the process's memory. */
const changesMax = 100_000;
/** A full log removes this many changes at once, because a removal at the start of an array moves all other items. */
const removedAtOnce = 1_000;

/** The positions that the logs of all workspaces share: the time in microseconds, or one more than the last position. */
export interface Positions {
  /** The last position that was given out. */
  end: number;
}

/** A subscription that has begun: its smallest valid position, and its slots. */
interface Begun {
  begin: number;
  slots: Slots;
}

/** Makes an empty log. `subscriptions` lists the workspace's subscriptions. `propertiesOf` returns the properties of an event. */
export function createLog(
  subscriptions: () => readonly SubscriptionRow[],
  propertiesOf: (change: ChangeDraft) => string | null,
  positions: Positions,
): ChangeLog {
  let changes: Logged[] = [];
  const begun = new Map<string, Begun>();
  const listeners = new Set<() => void>();
  const nextPosition = (): number => (positions.end = Math.max(positions.end + 1, Date.now() * 1_000));
  const show = (change: Logged): ChangeRow => ({ ...structuredClone(change), properties: propertiesOf(change) });
  const slotLog = { changes: () => changes, end: () => positions.end, show };
  // The definitions contain only subscriptions that have begun.
  const begunOf = ({ id }: SubscriptionRow): Begun => begun.get(id)!;
  const laterThan = (from: number): Logged[] =>
    changes.slice(changes.findLastIndex(({ position }) => position <= from) + 1);
  const isExpired = (subscription: SubscriptionRow, from: number): boolean =>
    from < begunOf(subscription).begin || from > positions.end;

  function removeFirst(count: number): void {
    const removed = changes.splice(0, count);
    for (const subscription of subscriptions()) {
      const last = removed.findLast((change) => isTaken(subscription.body.on, change));
      const of = begunOf(subscription);
      if (last) of.begin = Math.max(of.begin, last.position);
    }
  }

  return {
    append(change) {
      changes.push({ ...change, position: nextPosition() });
      if (changes.length > changesMax) removeFirst(removedAtOnce);
      for (const listener of listeners) queueMicrotask(listener);
    },
    forget(contactId) {
      changes = changes.filter(({ contact }) => contact.id !== contactId);
      for (const { slots } of begun.values()) slots.forget(contactId);
    },
    isLeased: (progress) => begun.get(progress.subscriptionId)?.slots.isLeased(progress) ?? false,
    acknowledge(progress) {
      const subscription = begun.get(progress.subscriptionId);
      // A change that was removed for its age counts as kept, so that its failure is stored and the change is not skipped.
      subscription?.slots.acknowledge(
        progress,
        Date.now(),
        (position) => position <= subscription.begin || changes.some((change) => change.position === position),
      );
    },
    begin(subscriptionId) {
      const begin = nextPosition();
      begun.set(subscriptionId, { begin, slots: createSlots(begin, slotLog) });
    },
    end: (subscriptionId) => void begun.delete(subscriptionId),
    list(subscription, after, size, audienceKey) {
      const isNewest = after === "newest";
      const { begin } = begunOf(subscription);
      const from = isNewest ? begin : (after ?? begin);
      if (isExpired(subscription, from)) return { refused: { code: "changes_expired" } };
      const later = laterThan(from);
      if (isNewest) later.reverse();
      const topics = topicsOf(subscription.body.on, audienceKey);
      const page = fillPage(takenOf(topics, later), size, show);
      if (isNewest) return { ...page, rows: page.rows.reverse(), position: positions.end };
      // If changes follow the page, it has at least one, and its position is that of its last.
      return { ...page, position: page.more ? page.rows.at(-1)!.position : positions.end };
    },
    findNext(subscription, { after, slotState }) {
      if (isExpired(subscription, after)) return { refused: { code: "changes_expired" } };
      const { slots } = begunOf(subscription);
      const isConsumed = slotState !== undefined && (slotState !== slots.state(Date.now()) || slots.isDue(Date.now()));
      if (isConsumed) return { found: true, position: after };
      const next = laterThan(after).find((change) => isTaken(subscription.body.on, change));
      return next ? { found: true, position: next.position - 1 } : { found: false, position: positions.end };
    },
    take(subscription, request) {
      const { slots } = begunOf(subscription);
      const refusal = refusalOfTaking(subscription.body, request);
      if (refusal) return refusal;
      if (isExpired(subscription, slots.first())) return { refused: { code: "changes_expired" } };
      return slots.take(subscription, request);
    },
    slotsOf: (subscription) => begunOf(subscription).slots,
    resume(subscription, from) {
      const { begin, slots } = begunOf(subscription);
      const position = positionToResume(from, { first: begin, end: positions.end });
      if (typeof position === "object") return position;
      slots.resume(position, { back: typeof from === "number", forgetsWaiting: from !== "oldest" });
      return null;
    },
    watch(listener) {
      // Adds a new function for each call of `watch`, so that a listener that watches twice is called twice.
      const call = (): void => listener();
      listeners.add(call);
      return () => void listeners.delete(call);
    },
    removeOld(before) {
      removeFirst(changes.findLastIndex(({ position }) => position < before * 1_000) + 1);
    },
  };
}

function* takenOf(topics: StoredTopics, changes: readonly Logged[]): Generator<Logged, void> {
  for (const change of changes) if (isTaken(topics, change)) yield change;
}

/** Makes a writer that collects its writes. `apply` runs them on `base`. */
export function overlayLog(base: ChangeWriter): ChangeWriter & { apply(): void } {
  const writes: ((log: ChangeWriter) => void)[] = [];
  return {
    append: (change) => writes.push((log) => log.append(change)),
    forget: (contactId) => writes.push((log) => log.forget(contactId)),
    isLeased: (progress) => base.isLeased(progress),
    acknowledge: (progress) => writes.push((log) => log.acknowledge(progress)),
    apply() {
      for (const write of writes) write(base);
    },
  };
}
