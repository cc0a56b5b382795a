import { queueMaxBytes, queueItemsMax, batchMaxBytes, batchItemsMax } from "../limits.ts";

/** A call that waits to be written. */
export interface Load {
  items: readonly unknown[];
  bytes: number;
  /** The names of the contacts that it writes to. */
  targets: readonly string[];
}

/** The calls that wait, first come first served, within the bounds of `../limits.ts`. */
export interface Queue<Call extends Load> {
  /** Reserves room for a call until `leave`; `false` if the queue is full. */
  enter(call: Call): boolean;
  leave(call: Call): void;
  /** The size of the calls that have entered and not left. */
  entered(): { items: number; bytes: number };
  put(call: Call): void;
  /**
   * Takes the first calls that fit one batch, at least one if any waits. A call that writes to the same contact as a running
   * batch stays in the queue: the contact is locked.
   */
  takeBatch(): Call[];
  /** To be called when the batch has ended. */
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
