import { setImmediate as nextTurn } from "node:timers/promises";
import { itemsPerTurn } from "./limits.ts";

/**
 * The same function, which after every `itemsPerTurn` calls waits for the next turn of the event loop. Thousands of items that
 * follow each other without one would keep the process from answering others, and the database's answers waiting.
 */
export function inTurns<Item, Result>(begin: (item: Item) => Promise<Result>): (item: Item) => Promise<Result> {
  let begun = 0;
  return (item) => (++begun % itemsPerTurn === 0 ? nextTurn().then(() => begin(item)) : begin(item));
}
