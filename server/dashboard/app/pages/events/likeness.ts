/** For each key without an event type, the defined key that it was probably meant to be; `null` if it looks like none. */
export function likelyKeys(keys: readonly string[], types: readonly { key: string }[]): Map<string, string | null> {
  const defined = new Set(types.map(({ key }) => key));
  return new Map([...new Set(keys)].filter((key) => !defined.has(key)).map((key) => [key, likelyKey(key, defined)]));
}

function likelyKey(key: string, defined: Iterable<string>): string | null {
  const plain = plainOf(key);
  let nearest: string | null = null;
  // A short key with two different letters is probably another word.
  let least = plain.length < 6 ? 1 : 2;
  for (const candidate of defined) {
    const distance = distanceOf(plain, plainOf(candidate), least);
    if (distance > least) continue;
    nearest = candidate;
    least = distance - 1;
    if (least < 0) break;
  }
  return nearest;
}

/** The key in lower case without separators: `Order Completed` and `order_completed` are one key written in two ways. */
function plainOf(key: string): string {
  return key.toLowerCase().replace(/[\s_.:/-]+/g, "");
}

/** The number of characters to add, remove, change or swap to make one text of the other. Exact up to the limit. */
function distanceOf(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[column - 2]! + 1 : Infinity,
      );
    }
    if (Math.min(...current) > limit) return limit + 1;
    [beforeLast, last] = [last, current];
  }
  return last[b.length]!;
}
