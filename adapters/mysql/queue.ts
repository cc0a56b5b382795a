import { batchItemsMax, batchMaxBytes, queueItemsMax, queueMaxBytes } from "../../lib/limits.ts";

/** How much somebody asks to be written. */
export interface Load {
  items: readonly unknown[];
  bytes: number;
}

/** What is to be written next, first come first, within the bounds of `lib/limits.ts`. */
export interface Queue<Call extends Load> {
  /** Makes room for a call until `leave`; `false` when too much is under way. */
  enter(call: Call): boolean;
  leave(call: Call): void;
  put(call: Call): void;
  readonly isEmpty: boolean;
  /** The calls at the front that fit one batch, and at least one. */
  takeBatch(): Call[];
}

export function createQueue<Call extends Load>(): Queue<Call> {
  const waiting: Call[] = [];
  const underWay = { items: 0, bytes: 0 };

  return {
    enter({ items, bytes }) {
      if (underWay.items + items.length > queueItemsMax || underWay.bytes + bytes > queueMaxBytes) return false;
      underWay.items += items.length;
      underWay.bytes += bytes;
      return true;
    },
    leave({ items, bytes }) {
      underWay.items -= items.length;
      underWay.bytes -= bytes;
    },
    put: (call) => void waiting.push(call),
    get isEmpty() {
      return waiting.length === 0;
    },
    takeBatch() {
      let itemCount = 0;
      let byteCount = 0;
      const end = waiting.findIndex(({ items, bytes }, index) => {
        itemCount += items.length;
        byteCount += bytes;
        return index > 0 && (itemCount > batchItemsMax || byteCount > batchMaxBytes);
      });
      return waiting.splice(0, end === -1 ? waiting.length : end);
    },
  };
}
