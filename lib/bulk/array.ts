import type { Scope } from "../scope.ts";
import type { DefinitionOf, DefinitionRow } from "../storage/rows.ts";
import type { Sized } from "./groups.ts";
import { failed, settle, type ItemResult } from "./item-results.ts";
import type { GroupWrites, OnResult, WriteCounts } from "./many.ts";

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

/** The scope for one call that reads each list of definitions once: inside a transaction every read is a statement. */
export function readingOnce(scope: Scope): Scope {
  const lists = new Map<string, Promise<DefinitionRow[]>>();
  const { storage } = scope;
  return {
    ...scope,
    storage: {
      ...storage,
      listDefinitions(workspace, kind, options) {
        const name = JSON.stringify([workspace, kind, options]);
        const list = lists.get(name) ?? storage.listDefinitions(workspace, kind, options);
        // A definition that was deleted during the call must be missed by the next read.
        if (options?.maxAgeMs !== 0) lists.set(name, list);
        return list as Promise<DefinitionOf<typeof kind>[]>;
      },
    },
  };
}
