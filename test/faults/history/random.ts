/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number below `n`. */
  below(n: number): number;
  isOneIn(n: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** A key, each as often as its weight says. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
}

/** The same seed gives the same choices (mulberry32 over an FNV-1a hash of the seed). */
export function createRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    next,
    below,
    isOneIn: (n) => below(n) === 0,
    pick: (items) => items[below(items.length)]!,
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      return entries.find(([, weight]) => (left -= weight) < 0)![0];
    },
  };
}
