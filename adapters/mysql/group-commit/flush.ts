import { createLine, type Line } from "../../../lib/decisions/order.ts";
import {
  BeginAgain,
  isDuplicate,
  isLockWaitTimeout,
  isNoConnection,
  mayBeOneItems,
  type SessionSlot,
} from "../connection/index.ts";
import { settledMs } from "../limits.ts";
import type { Statement } from "../sql/index.ts";
import { endOfTries, held, type Findings, type OwnRunner, type Work } from "../transactions/index.ts";
import type { Entry, ItemReader } from "./entry.ts";
import { namesOf, type Queue } from "./queue.ts";
import type { WaitingPlaces } from "./waiting-places.ts";
import type { Writes } from "./writes.ts";

export interface PreparedWrite<Result> {
  /** Reads rows that open transactions have written; `null` for nothing. */
  look: Statement | null;
  /** Whether an earlier try of an item was behind. */
  behind?: boolean;
  /** Writes the items in one transaction, and answers `held` for those that other transactions keep from being written. */
  once(work: Work): Promise<(Result | typeof held)[]>;
}

/** How items of one kind are written together. */
export interface BatchedWrite<Item, Result> extends ItemReader<Item> {
  /** Reads what the transaction needs to know: inside it, a read on another connection could wait for ever. */
  prepare(items: readonly Item[]): Promise<PreparedWrite<Result>>;
  /** Whether the row that the result tells of was last written before this time. True if it tells of none, false if nobody knows. */
  wasWrittenBefore(this: void, result: Result, time: number, item: Item): boolean;
}

/** Writes batches, each in one transaction. */
export interface Flusher<Item, Result> {
  flush(batch: readonly Entry<Item, Result>[], slot: SessionSlot | null): Promise<void>;
  /** Counts of what was committed. */
  written: { batches: number; items: number };
}

/** `follow` is given what goes on beside the batches. */
export function createFlusher<Item, Result>(
  runner: OwnRunner,
  { prepare, wasWrittenBefore }: BatchedWrite<Item, Result>,
  queue: Queue<Entry<Item, Result>>,
  { settle, pause, limitWaits }: Writes<Item, Result>,
  places: WaitingPlaces,
  follow: (flushed: Promise<void>) => void,
): Flusher<Item, Result> {
  const written = { batches: 0, items: 0 };

  async function flush(
    batch: readonly Entry<Item, Result>[],
    slot: SessionSlot | null,
    stalled: Line<Entry<Item, Result>> = createLine(namesOf),
  ): Promise<void> {
    queue.putBack(batch.filter(stalled.isBehind));
    const entries = batch.filter((entry) => !stalled.isBehind(entry));
    if (entries.length === 0) return;
    const kept = await write(entries, { slot }).catch((error: unknown) => recover(entries, error, slot, stalled));
    if (kept) await waitOrPause(kept, stalled);
  }

  /** Writes the entries in one transaction and answers them. Returns those that other transactions kept from being written. */
  async function write(
    entries: readonly Entry<Item, Result>[],
    options: { slot?: SessionSlot | null; inLine?: boolean },
  ): Promise<Entry<Item, Result>[]> {
    const { once, look, behind = false } = await prepare(entries.map(({ item }) => item));
    const isSettled = (found: readonly (Result | typeof held)[]): boolean =>
      // There is one answer for each entry.
      found.every((answer, i) => answer === held || wasWrittenBefore(answer, Date.now() - settledMs, entries[i]!.item));
    const [first] = entries;
    // The intent of a try by itself is for its next try.
    const findings = first?.isAlone ? first.retries : { ...combine(entries), behind };
    const answers = await runner.attempt(findings, once, { look, isSettled, ...options });
    const kept = settle(entries, answers);
    written.batches++;
    written.items += entries.length - kept.length;
    return kept;
  }

  /**
   * Entries that meet a locked contact for the first time wait in line for it, beside the batches. An entry that pauses and
   * retries rarely finds the row unlocked when several processes write to it. Without a place in a line they pause.
   */
  async function waitOrPause(kept: readonly Entry<Item, Result>[], stalled: Line<Entry<Item, Result>>): Promise<void> {
    let rest = kept;
    for (;;) {
      const line = ofFirstContact(rest, stalled);
      if (line.length === 0 || !(await places.take())) break;
      line.forEach(stalled.join);
      rest = rest.filter((entry) => !line.includes(entry));
      follow(waitInLine(line).finally(places.leave));
    }
    if (rest.length > 0) pause(rest, new BeginAgain(), stalled);
  }

  async function waitInLine(line: readonly Entry<Item, Result>[]): Promise<void> {
    const stalled = createLine<Entry<Item, Result>>(namesOf);
    const kept = await write(line, { inLine: true }).catch((error: unknown) => {
      if (isLockWaitTimeout(error)) pause(line, error, stalled);
      else return recover(line, error, null, stalled);
    });
    if (kept && kept.length > 0) pause(kept, new BeginAgain(), stalled);
  }

  /** Halves a batch of which one item may keep the others from being written, until that item stands alone. */
  async function recover(
    entries: readonly Entry<Item, Result>[],
    error: unknown,
    slot: SessionSlot | null,
    stalled: Line<Entry<Item, Result>>,
  ): Promise<void> {
    const isDivisible = mayBeOneItems(error) && (!isDuplicate(error) || combine(entries).duplicateMet);
    if (isDivisible && entries.length > 1) {
      runner.retried(error);
      const middle = entries.length >> 1;
      await flush(entries.slice(0, middle), slot, stalled);
      await flush(entries.slice(middle), slot, stalled);
    } else if (isDivisible) {
      // An entry that stands alone is tried again beside the others, not before them.
      pause(entries, error, stalled, (entry) => follow(flush([entry], null)));
    } else {
      pause(entries, error, stalled);
      // A node that is behind, and a row that another wrote, answer quickly.
      if (!isDuplicate(error) && !(error instanceof BeginAgain)) beginTimeOf(queue.waiting());
      if (isNoConnection(error)) limitWaits(error);
    }
  }

  return { flush, written };
}

/** The entries of the first contact that have met nothing yet, without any that would overtake another entry. */
function ofFirstContact<E extends Pick<Entry<unknown, never>, "names" | "obstacle">>(
  entries: readonly E[],
  { isBehind }: Line<E>,
): E[] {
  const passed = createLine<E>(namesOf);
  let contact: string | undefined;
  return entries.filter((entry) => {
    const isFree = entry.obstacle === null && !isBehind(entry) && !passed.isBehind(entry);
    const isChosen = isFree && entry.names[0] === (contact ??= entry.names[0]);
    if (!isChosen) passed.join(entry);
    return isChosen;
  });
}

/** Of a database that does not answer one batch, the others do not wait for tries of their own one after another. */
function beginTimeOf(entries: readonly Entry<unknown, never>[]): void {
  for (const { retries } of entries) retries.until = Math.min(retries.until, endOfTries());
}

function combine(entries: readonly { retries: Findings }[]): Findings {
  return {
    duplicateMet: entries.some(({ retries }) => retries.duplicateMet),
    uncertain: entries.some(({ retries }) => retries.uncertain),
    intent: null,
    behind: false,
  };
}
