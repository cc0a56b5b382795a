import type { Faulted } from "../../lib/storage/port.ts";
import { createLine } from "../../lib/decisions/order.ts";
import { TrackerError } from "../../lib/errors.ts";
import { heldContactWaitMs } from "../../lib/limits.ts";
import { Held, type Holder } from "./waiting.ts";

/**
 * Runs the operation for each item of an array, outside of transactions. Each item has a result of its own. One that throws
 * `Held` runs again when a transaction has ended, and items with a name in common with it wait behind it. What has waited for
 * `heldContactWaitMs` has met a fault.
 */
export type RunItems = <Item, Result>(
  items: readonly Item[],
  operation: (item: Item) => Result,
  namesOf: (item: Item) => readonly string[],
) => Promise<(Result | Faulted)[]>;

interface WaitingItem {
  names: readonly string[];
  /** Returns the transaction that it waits for, or `null` if it is answered now. */
  attempt(): Holder | null;
}

/** The items of all calls wait in one line. */
export function createItemRunner(): RunItems {
  let waiting: WaitingItem[] = [];
  const awaited = new WeakSet<Holder>();

  function tryAll(): void {
    const line = createLine<WaitingItem>(({ names }) => names);
    waiting = waiting.filter((item) => {
      if (!line.isBehind(item)) {
        const holder = item.attempt();
        if (!holder) return false;
        // After the turn, in which a transaction goes on that has waited too.
        if (!awaited.has(holder)) void holder.ended.then(() => setImmediate(tryAll));
        awaited.add(holder);
      }
      line.join(item);
      return true;
    });
  }

  function wait(names: readonly string[], attempt: () => Holder | null, expire: () => void): void {
    const timer = setTimeout(() => {
      waiting = waiting.filter((other) => other !== item);
      expire();
      tryAll();
    }, heldContactWaitMs);
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

  return <Item, Result>(
    items: readonly Item[],
    operation: (item: Item) => Result,
    namesOf: (item: Item) => readonly string[],
  ) =>
    new Promise<(Result | Faulted)[]>((resolve) => {
      const results: (Result | Faulted)[] = [];
      let open = items.length;
      if (open === 0) resolve(results);
      for (const [index, item] of items.entries()) {
        const answer = (result: Result | Faulted): null => {
          results[index] = result;
          if (--open === 0) resolve(results);
          return null;
        };
        const attempt = (input: Item): Holder | null => {
          try {
            return answer(operation(input));
          } catch (error) {
            return error instanceof Held ? error.holder : answer({ fault: error });
          }
        };
        // Nearly always nothing waits.
        if (waiting.length === 0 && attempt(item) === null) continue;
        // The caller can change its own meanwhile.
        const copy = structuredClone(item);
        const expire = (): null => answer({ fault: new TrackerError("storage_unavailable") });
        wait(namesOf(copy), () => attempt(copy), expire);
      }
    });
}
