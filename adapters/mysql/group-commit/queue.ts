import { queueMaxBytes, queueItemsMax, batchMaxBytes, batchItemsMax } from "../limits.ts";

/** What somebody asks to be written. */
export interface Load {
  items: readonly unknown[];
  bytes: number;
  /** Names of what it writes to. */
  targets: readonly string[];
}

/** What is to be written next, first come first, within the bounds of `../limits.ts`. */
export interface Queue<Call extends Load> {
  /** Makes room for a call until `leave`; `false` when too much is under way. */
  enter(call: Call): boolean;
  leave(call: Call): void;
  /** What has entered and not left. */
  entered(): { items: number; bytes: number };
  put(call: Call): void;
  /**
   * The first calls that fit one batch, at least one if there is any. Calls that write to what a batch under way writes to stay
   * behind it: they would find it held.
   */
  takeBatch(): Call[];
  /** The batch is no longer under way. */
  finish(batch: readonly Call[]): void;
}

export function createQueue<Call extends Load>(): Queue<Call> {
  let waiting: Call[] = [];
  const entered = { items: 0, bytes: 0 };
  const busy = new Set<string>();

  return {
    enter({ items, bytes }) {
      if (entered.items + items.length > queueItemsMax || entered.bytes + bytes > queueMaxBytes) return false;
      entered.items += items.length;
      entered.bytes += bytes;
      return true;
    },
    leave({ items, bytes }) {
      entered.items -= items.length;
      entered.bytes -= bytes;
    },
    entered: () => ({ ...entered }),
    put: (call) => void waiting.push(call),
    takeBatch() {
      const batch: Call[] = [];
      const rest: Call[] = [];
      let items = 0;
      let bytes = 0;
      for (const call of waiting) {
        const isFree = !call.targets.some((target) => busy.has(target));
        if (isFree) {
          items += call.items.length;
          bytes += call.bytes;
        }
        const fits = batch.length === 0 || (items <= batchItemsMax && bytes <= batchMaxBytes);
        (isFree && fits ? batch : rest).push(call);
      }
      waiting = rest;
      for (const target of batch.flatMap((call) => call.targets)) busy.add(target);
      return batch;
    },
    finish(batch) {
      for (const target of batch.flatMap((call) => call.targets)) busy.delete(target);
    },
  };
}
