import type { Sized } from "./groups.ts";
import { failed, settle, type ItemResult } from "./item-results.ts";
import { assertEach, type GroupWrites, type OnResult, type WriteCounts } from "./many.ts";

/**
 * Writes an array inside a transaction, by one call of the storage: either all items that it accepts are written or none. Rejects
 * with an error of `each` after the write.
 */
export async function writeArray<Item, Prepared extends Sized, Result extends object>(
  items: readonly Item[],
  { prepare, write }: Pick<GroupWrites<Item, Prepared, Result>, "prepare" | "write">,
  each: OnResult<Result> = () => {},
): Promise<WriteCounts> {
  if (!Array.isArray(items)) throw new TypeError("inside a transaction the items are an array");
  assertEach(each);
  // All items are copied before the first `await`.
  const entries = await Promise.all(items.map((item) => settle((async () => ({ prepared: await prepare(item) }))())));
  const prepared = entries.flatMap((entry) => (entry.ok ? [entry.prepared] : []));
  const written = prepared.length === 0 ? [] : await write(prepared);
  let next = 0;
  const results = entries.map((entry): ItemResult<Result> => (entry.ok ? written[next++]! : failed(entry.error)));
  const counts: WriteCounts = { ok: 0, failed: 0 };
  for (const [index, result] of results.entries()) {
    counts[result.ok ? "ok" : "failed"]++;
    await each(result, index);
  }
  return counts;
}
