import { createLine, type Line } from "../../../lib/decisions/order.ts";
import { createPermits, errors, type Lane, type Permits } from "../connection/index.ts";
import { batchesAtOnceMax, settledMs, lockWaitsMax } from "../limits.ts";
import { rowLocked, type Findings, type OwnRunner } from "../transactions/index.ts";
import type { BatchedWrite, Entry } from "./entry.ts";
import { namesOf } from "./queue.ts";
import type { Writes } from "./writes.ts";

/** Writes a batch in one transaction. A lane keeps its session for the next batch. */
export type Flush<Item, Result> = (batch: readonly Entry<Item, Result>[], lane: Lane | null) => Promise<void>;

/**
 * The permits for connections that wait for the lock of a contact, for contacts and events together. A small pool has none,
 * because other calls may need its connections. A pool that was passed in has none either.
 */
export function createLockWaits(ownConnections: () => Promise<number | null>): Permits {
  return createPermits(ownConnections, (connections) =>
    (connections ?? 0) < 2 * batchesAtOnceMax + lockWaitsMax ? 0 : lockWaitsMax,
  );
}

/**
 * Each wait for the row of a contact takes a permit, and runs beside the batches. `follow` gets the promise of such work, so that
 * it counts as under way until it ends.
 */
export function createFlusher<Item, Result>({
  runner,
  batched: { prepare, wasWrittenBefore },
  writes: { putBack, settle, pause, limitWaits },
  permits,
  follow,
}: {
  runner: OwnRunner;
  batched: BatchedWrite<Item, Result>;
  writes: Writes<Item, Result>;
  permits: Permits;
  follow(this: void, work: Promise<void>): void;
}): Flush<Item, Result> {
  type Entries = readonly Entry<Item, Result>[];
  type Stalled = Line<Entry<Item, Result>>;

  async function flush(batch: Entries, lane: Lane | null, stalled: Stalled = createLine(namesOf)): Promise<void> {
    putBack(batch.filter(stalled.isBehind));
    const entries = batch.filter((entry) => !stalled.isBehind(entry));
    if (entries.length === 0) return;
    const kept = await write(entries, { lane }).catch((error: unknown) => recover(entries, error, lane, stalled));
    if (kept) await waitOrPause(kept, stalled);
  }

  /** Writes the entries in one transaction and answers them. Returns those whose rows other transactions have locked. */
  async function write(entries: Entries, options: { lane?: Lane | null; inLine?: boolean }): Promise<Entries> {
    const { once, look, atOnce, behind = false } = await prepare(entries.map(({ item }) => item));
    const isSettled = (found: readonly (Result | typeof rowLocked)[]): boolean =>
      // There is one answer for each entry.
      found.every(
        (answer, i) => answer === rowLocked || wasWrittenBefore(answer, Date.now() - settledMs, entries[i]!.item),
      );
    const [first] = entries;
    // An entry that is alone keeps the intent of each try for the next one.
    const findings = first?.isAlone ? first.retries : { ...combine(entries), behind };
    const attempt = (): ReturnType<typeof once> =>
      runner.attempt(findings, once, { look, atOnce: findings.behind ? null : atOnce, isSettled, ...options });
    const answers = await attempt().catch((error: unknown) => {
      if (!(error instanceof errors.Behind)) throw error;
      // At once: entries that pause can overtake each other.
      findings.behind = true;
      runner.retried(error);
      return attempt();
    });
    return settle(entries, answers);
  }

  /**
   * Entries that meet a locked contact for the first time wait for its lock, beside the batches. An entry that pauses and
   * retries rarely finds the row unlocked when several processes write to it. Without a permit the entries pause.
   */
  async function waitOrPause(kept: Entries, stalled: Stalled): Promise<void> {
    let rest = kept;
    for (;;) {
      const line = ofFirstContact(rest, stalled);
      if (line.length === 0 || !(await permits.tryTake())) break;
      line.forEach(stalled.join);
      rest = rest.filter((entry) => !line.includes(entry));
      follow(waitForLock(line).finally(permits.release));
    }
    if (rest.length > 0) pause(rest, new errors.BeginAgain(), stalled);
  }

  async function waitForLock(line: Entries): Promise<void> {
    const stalled: Stalled = createLine(namesOf);
    const kept = await write(line, { inLine: true }).catch((error: unknown) => {
      if (errors.isLockWaitTimeout(error)) pause(line, error, stalled);
      else return recover(line, error, null, stalled);
    });
    if (kept) pause(kept, new errors.BeginAgain(), stalled);
  }

  /** Halves a batch in which one item may have failed, until that item is the whole batch. */
  async function recover(entries: Entries, error: unknown, lane: Lane | null, stalled: Stalled): Promise<void> {
    const isDivisible = errors.mayBeOneItems(error) && (!errors.isDuplicate(error) || combine(entries).duplicateMet);
    if (isDivisible && entries.length > 1) {
      runner.retried(error);
      const middle = entries.length >> 1;
      await flush(entries.slice(0, middle), lane, stalled);
      await flush(entries.slice(middle), lane, stalled);
    } else if (isDivisible) {
      // A retry in the queue would delay the batch that it joins.
      pause(entries, error, stalled, (entry) => follow(flush([entry], null)));
    } else {
      pause(entries, error, stalled);
      // Other errors may mean that the database is slow, so they limit how long the queued entries may still wait.
      if (!errors.isDuplicate(error) && !errors.isStaleMarks(error) && !(error instanceof errors.BeginAgain))
        limitWaits(error);
    }
  }

  return flush;
}

/** Returns the new entries of the first contact, without any that would overtake another entry. */
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

function combine(entries: readonly { retries: Findings }[]): Findings {
  return {
    duplicateMet: entries.some(({ retries }) => retries.duplicateMet),
    uncertain: entries.some(({ retries }) => retries.uncertain),
    staleMarks: entries.some(({ retries }) => retries.staleMarks),
    intent: null,
    behind: false,
  };
}
