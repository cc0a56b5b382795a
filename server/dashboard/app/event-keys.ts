import type { Methods } from "../../../lib/client/methods.ts";

/** The number of newest events whose keys are offered. */
const newest = 200;

/** Event keys to offer: the defined ones, and those of the newest events. Reading all events would take too long. */
export async function eventKeys({ eventTypes, events }: Methods, listed = eventTypes.list()): Promise<string[]> {
  const [types, recent] = await Promise.all([listed, events.recent({ limit: newest })]);
  const keys = [...types.map(({ key }) => key), ...recent.items.map(({ eventKey }) => eventKey)];
  return [...new Set(keys)];
}

/** The different keys, most frequent first. */
export function byFrequency(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([key]) => key);
}
