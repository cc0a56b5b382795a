import type { Faulted } from "../../lib/storage/rows.ts";
import { createLine } from "../../lib/decisions/order.ts";
import { TrackerError } from "../../lib/model/errors.ts";
import { lockedContactWaitMs } from "../../lib/model/limits.ts";
import { Locked, type Holder } from "./locks.ts";

/**
 * Runs the operation for each item of an array, outside of transactions. Each item has a result of its own. An operation that
 * throws `Locked` runs again when a transaction has ended. Items with a name in common with a waiting item wait behind it. An
 * item that has waited for `lockedContactWaitMs` fails.
 */
export type RunItems = <Item, Result>(
  items: readonly Item[],
  operation: (item: Item) => Result,
  namesOf: (item: Item) => readonly string[],
) => Promise<(Result | Faulted)[]>;

interface WaitingItem {
  names: readonly string[];
  /** Tries the operation. Returns the transaction that the item has to wait for, or `null` if the item has its result. */
  attempt(): Holder | null;
}

/** Makes a runner whose calls share one queue of waiting items. `assertOpen` throws when the storage is closed. */
export function createRunItems(assertOpen: () => void): RunItems {
  let waiting: WaitingItem[] = [];
  const awaited = new WeakSet<Holder>();

  function tryAll(): void {
    const line = createLine<WaitingItem>(({ names }) => names);
    waiting = waiting.filter((item) => {
      if (!line.isBehind(item)) {
        const holder = item.attempt();
        if (!holder) return false;
        // `setImmediate` lets the transactions that have waited for the same holder continue first.
        if (!awaited.has(holder)) void holder.ended.then(() => setImmediate(tryAll));
        awaited.add(holder);
      }
      line.join(item);
      return true;
    });
  }

  function wait(names: readonly string[], attempt: () => Holder | null, expire: () => void): void {
    const giveUp = (): void => {
      waiting = waiting.filter((other) => other !== item);
      expire();
      tryAll();
    };
    // In a process that was busy for so long, the item first gets what a transaction has released meanwhile.
    const timer = setTimeout(() => setImmediate(giveUp), lockedContactWaitMs);
    const item: WaitingItem = {
      names,
      attempt() {
        const holder = attempt();
        if (!holder) clearTimeout(timer);
        return holder;
      },
    };
    waiting.push(item);
    tryAll();
  }

  return async (items, operate, namesOf) => {
    assertOpen();
    const operation: typeof operate = (item) => {
      assertOpen();
      return operate(item);
    };
    type Result = ReturnType<typeof operation> | Faulted;
    const results: Result[] = [];
    // Usually no item waits, and all of these run at once.
    while (waiting.length === 0 && results.length < items.length) {
      // The length was just compared.
      const { result, holder } = tryOnce(operation, items[results.length]!);
      if (holder) break;
      results.push(result);
    }
    if (results.length === items.length) return results;
    // Copies, because the caller can change its items while they wait.
    const rest = structuredClone(items.slice(results.length)).map(
      (item) =>
        new Promise<Result>((resolve) => {
          const tryItem = (): Holder | null => {
            const { result, holder } = tryOnce(operation, item);
            if (holder) return holder;
            resolve(result);
            return null;
          };
          wait(namesOf(item), tryItem, () => resolve({ fault: new TrackerError("storage_unavailable") }));
        }),
    );
    return [...results, ...(await Promise.all(rest))];
  };
}

/** The result of the operation, or the transaction that it has to wait for. */
function tryOnce<Item, Result>(
  operation: (item: Item) => Result,
  item: Item,
): { result: Result | Faulted; holder: null } | { result: null; holder: Holder } {
  try {
    return { result: operation(item), holder: null };
  } catch (error) {
    return error instanceof Locked
      ? { result: null, holder: error.holder }
      : { result: { fault: error }, holder: null };
  }
}
