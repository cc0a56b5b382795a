/** The looks of a process at its storages. One look serves all who wait: it logs changes, and finds who has something to do. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { createBell, type Bell } from "./bell.ts";
import { failedLookPauseMs, lookPauseMs, lookRestMs, removalPauseMs, unusedLookPauseMs } from "../model/limits.ts";
import type { ChangeReader } from "../storage/changes.ts";
import type { Storage } from "../storage/port.ts";

/** Somebody who waits for changes. Its reader moves on with each look. */
export interface Waiter {
  reader: ChangeReader;
  /** Called when the reader has changes to read or take. Also called if the look failed: the waiter's own call then fails, too. */
  found(this: void): void;
}

/** Somebody who keeps the looks going. A look that fails is reported to one looker. */
export interface Looker {
  report(this: void, error: unknown): void;
  /** Called when watches are to begin. */
  foundUnready?: ((this: void) => void) | undefined;
}

/** The looks at one storage. They end when nobody is left. */
interface Looks {
  waiters: Set<Waiter>;
  lookers: Set<Looker>;
  /** Rings to look at once. */
  bell: Bell;
  /** Rings when nobody is left. */
  left: Bell;
  /** Whether this process has committed changes since the last look. */
  hasNews: boolean;
  pauseMs: number;
  /** The next time of `performance.now()` to remove old changes at. */
  removesAt: number;
  ended: Promise<void>;
}

const looksByStorage = new WeakMap<Storage, Looks>();

/** Keeps looking until the returned function is called. If nobody else needs the looks, that function waits for the running look. */
export function keepLooking(storage: Storage, looker: Looker): () => Promise<void> {
  const looks = looksByStorage.get(storage) ?? begin(storage);
  looks.lookers.add(looker);
  return async () => {
    looks.lookers.delete(looker);
    if (endUnlessNeeded(looks)) await looks.ended;
  };
}

/** Looks for the waiter until the returned function is called. */
export function lookFor(storage: Storage, waiter: Waiter): () => void {
  const looks = looksByStorage.get(storage) ?? begin(storage);
  looks.waiters.add(waiter);
  if (looks.pauseMs === unusedLookPauseMs) looks.bell.ring();
  return () => {
    looks.waiters.delete(waiter);
    endUnlessNeeded(looks);
  };
}

/** Looks now, because this process has committed changes. */
export function lookNow(storage: Storage): void {
  const looks = looksByStorage.get(storage);
  if (!looks) return;
  looks.hasNews = true;
  looks.bell.ring();
}

function isNeeded({ waiters, lookers }: Looks): boolean {
  return waiters.size + lookers.size > 0;
}

function endUnlessNeeded(looks: Looks): boolean {
  if (isNeeded(looks)) return false;
  looks.bell.ring();
  looks.left.ring();
  return true;
}

function begin(storage: Storage): Looks {
  const looks: Looks = {
    waiters: new Set(),
    lookers: new Set(),
    bell: createBell({ keepsAlive: false }),
    left: createBell({ keepsAlive: false }),
    hasNews: false,
    pauseMs: 0,
    removesAt: -Infinity,
    ended: Promise.resolve(),
  };
  looksByStorage.set(storage, looks);
  looks.ended = run(storage, looks);
  return looks;
}

async function run(storage: Storage, looks: Looks): Promise<void> {
  // All waiters of one turn of the event loop share the first look.
  await nextTurn();
  while (isNeeded(looks)) {
    const begunAt = performance.now();
    looks.pauseMs = await look(storage, looks).catch((error: unknown) => {
      for (const { found } of looks.waiters) found();
      for (const { report } of [...looks.lookers].slice(0, 1)) report(error);
      return failedLookPauseMs;
    });
    // Leaves half of the database's time to others.
    if (isNeeded(looks)) await looks.left.rung(Math.max(lookRestMs, performance.now() - begunAt));
    if (isNeeded(looks)) await looks.bell.rung(looks.pauseMs);
  }
  looksByStorage.delete(storage);
}

/** Resolves with the pause until the next look, in milliseconds. */
async function look(storage: Storage, looks: Looks): Promise<number> {
  let more = looks.hasNews && (await logSome(storage));
  looks.hasNews = false;
  const groups = groupAlike(looks.waiters);
  const { next, isUnlogged, isUnready, isUsed } = await storage.findWork(groups.map(({ reader }) => reader));
  for (const [index, { waiters }] of groups.entries()) {
    // There is an answer for each reader.
    const { found, position } = next[index]!;
    for (const waiter of waiters) {
      waiter.reader.after = position;
      if (found) waiter.found();
    }
  }
  if (isUnready) for (const { foundUnready } of looks.lookers) foundUnready?.();
  if (isUnlogged) more = (await logSome(storage)) || more;
  if (looks.lookers.size > 0 && performance.now() >= looks.removesAt) {
    // One step between two looks, because removing everything could take hours.
    if (await removeSome(storage)) more = true;
    else looks.removesAt = performance.now() + removalPauseMs;
  }
  if (more) return 0;
  return isUsed || groups.length > 0 ? lookPauseMs : unusedLookPauseMs;
}

/** Logs some changes. Resolves with whether the next look may find some of them, or others. */
async function logSome(storage: Storage): Promise<boolean> {
  const { logged, more } = await storage.logChanges();
  return logged > 0 || more;
}

/** Removes some changes that are too old. Resolves with whether it left some. */
export async function removeSome(storage: Storage): Promise<boolean> {
  return storage.removeOldChanges(await storage.readClock());
}

/** Groups the waiters whose readers are equal, so that a look asks once for each reader. */
function groupAlike(waiters: ReadonlySet<Waiter>): { reader: ChangeReader; waiters: Waiter[] }[] {
  const groups = new Map<string, { reader: ChangeReader; waiters: Waiter[] }>();
  for (const waiter of waiters) {
    const { workspace, key, after, slotState } = waiter.reader;
    const name = JSON.stringify([workspace, key, after, slotState]);
    const group = groups.get(name) ?? { reader: { ...waiter.reader }, waiters: [] };
    group.waiters.push(waiter);
    groups.set(name, group);
  }
  return [...groups.values()];
}
