import { setTimeout as sleep } from "node:timers/promises";
import type { mysqlStorage } from "../../adapters/mysql/index.ts";
import type { ChangeRow } from "../../lib/storage/change-rows.ts";
import { accepted } from "../../lib/storage/refusals.ts";
import { format } from "./rounds.ts";

const tickMs = 10;

interface Lagging {
  storage: ReturnType<typeof mysqlStorage>;
  /** The subscription whose log is read. */
  key: string;
  ticks: number;
  perTick: number;
  /** Tracks event `n`, and resolves with the name of its change. */
  track(n: number): Promise<string>;
  nameOf(change: ChangeRow): string;
}

/** By name of the change: the time of something, by `performance.now()`. */
export type Times = Map<string, number>;

/**
 * Tracks some events every 10 ms, and prints the time from each answer until a reader found the change in the log. Resolves with
 * the times of the answers.
 */
export async function measureLag(
  name: string,
  { storage, key, ticks, perTick, track, nameOf }: Lagging,
): Promise<Times> {
  const answered: Times = new Map();
  const seen: Times = new Map();
  const start = await storage.readLogEnd();
  let isOver = false;
  const reading = (async () => {
    for (let after: number = start; !isOver || seen.size < answered.size; await sleep(5)) {
      const page = accepted(await storage.listChanges("default", key, after, 1_000));
      for (const change of page.changes) seen.set(nameOf(change), performance.now());
      after = page.position;
    }
  })();
  const trackOne = async (n: number): Promise<void> => {
    const found = await track(n);
    answered.set(found, performance.now());
  };
  const begun = performance.now();
  const tracking: Promise<void>[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    await sleep(begun + tick * tickMs - performance.now());
    for (let n = 0; n < perTick; n++) tracking.push(trackOne(tick * perTick + n));
  }
  await Promise.all(tracking);
  isOver = true;
  await reading;
  printLag(`${name}: in the log`, answered, seen);
  return answered;
}

export function printLag(name: string, answered: Times, seen: Times): void {
  const lags = Array.from(answered, ([change, at]) => Math.max(0, seen.get(change)! - at));
  const sorted = lags.sort((a, b) => a - b);
  const at = (share: number): string => format(sorted[Math.floor(sorted.length * share)]!);
  console.log(`${name} after ${at(0.5)} ms, p99 ${at(0.99)}, at most ${at(0.99999)}`);
}
