import { batchMaxBytes } from "./limits.ts";

/**
 * Splits the items into as few parts as possible, of at most `batchMaxBytes` and `itemsMax` items. The server closes the connection if
 * a statement is larger than `max_allowed_packet`.
 */
export function inParts<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  itemsMax: number = Infinity,
): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = bytesOf(item);
    bytes += size;
    if (bytes > batchMaxBytes || part.length === itemsMax) {
      part = [];
      parts.push(part);
      bytes = size;
    }
    part.push(item);
  }
  return parts;
}
