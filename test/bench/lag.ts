import { setTimeout as sleep } from "node:timers/promises";
import type { mysqlStorage } from "../../adapters/mysql/index.ts";
import type { ChangeRow } from "../../lib/storage/changes.ts";
import { accepted } from "../../lib/storage/refusals.ts";
import { format, percentile } from "./rounds.ts";

const tickMs = 10;

/** Some events every 10 ms. */
interface Steady {
  ticks: number;
  perTick: number;
  /** Tracks event `n`, and resolves with the name of its change. */
  track(n: number): Promise<string>;
}

interface Lagging extends Steady {
  storage: ReturnType<typeof mysqlStorage>;
  /** The subscription whose log is read. */
  key: string;
  nameOf(change: ChangeRow): string;
}

/** By name of the change: the time of something, by `performance.now()`. */
export type Times = Map<string, number>;

/** Resolves with the time of each answer. */
export async function trackSteadily({ ticks, perTick, track }: Steady): Promise<Times> {
  const answered: Times = new Map();
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
  return answered;
}

/** Prints the time from each answer until a reader found the change in the log. Resolves with the times of the answers. */
export async function measureLag(name: string, { storage, key, nameOf, ...steady }: Lagging): Promise<Times> {
  const seen: Times = new Map();
  const { position: start } = accepted(await storage.listChanges("default", key, "newest", { limit: 1, maxBytes: 1 }));
  const tracking = trackSteadily(steady);
  let total = Infinity;
  void tracking.then(({ size }) => (total = size));
  for (let after: number = start; seen.size < total; await sleep(5)) {
    const page = accepted(await storage.listChanges("default", key, after, { limit: 1_000, maxBytes: Infinity }));
    for (const change of page.rows) seen.set(nameOf(change), performance.now());
    after = page.position;
  }
  const answered = await tracking;
  printLag(`${name}: in the log`, answered, seen);
  return answered;
}

/** Prints the time from each answer until something was seen. */
export function printLag(name: string, answered: Times, seen: Times): void {
  const lags = Array.from(answered, ([change, at]) => Math.max(0, seen.get(change)! - at));
  const at = (share: number): string => format(percentile(lags, share));
  console.log(`${name} after ${at(0.5)} ms, p99 ${at(0.99)}, at most ${at(0.99999)}`);
}
