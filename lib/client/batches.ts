import type { Sized } from "../bulk/groups.ts";
import { settle } from "../bulk/item-results.ts";
import type { GroupWrites } from "../bulk/many.ts";
import { isTrackerError, type TrackerError, type UnavailableError } from "../model/errors.ts";
import { batchBodyTimes, itemsPerBatchMax, maxBodyBytesDefault, triesMax } from "../model/limits.ts";
import { errorOf, foreign, isSuccess, ok } from "./answers.ts";
import type { Patience } from "./retries.ts";

/** The server's answer to one item of a batch. */
export interface ItemAnswer {
  status: number;
  body: Record<string, unknown>;
  replayed?: boolean;
}

/** Sends an item with the others that are added meanwhile. Rejects with the item's error. */
export type Batcher = (json: string) => Promise<ItemAnswer>;

/** An item as it is sent, and the function that reads its answer. */
export interface Sent extends Sized {
  json: string;
  read(answer: ItemAnswer): object;
}

export type ItemWrites = GroupWrites<unknown, Sent, object>;

interface Waiting {
  json: string;
  resolve(answer: ItemAnswer): void;
  reject(error: unknown): void;
}

/** The largest body that a server with the default limit accepts. If a server refuses it as too large, the batch is halved. */
const bodyMaxCharacters = batchBodyTimes * maxBodyBytesDefault - 100;

export interface BatcherOptions {
  /** Whether the server keeps the writes out of all subscriptions. */
  isSilent: boolean;
  /** Resolves with the `items` of the server's answer, not validated. */
  send(body: string): Promise<unknown>;
  /** Awaited before items are sent again. The error is that of the first of these items. */
  pause(attempt: number, error: UnavailableError): Promise<void>;
  /** The fields of a success of one item. */
  fields: readonly string[];
  patience: Patience;
}

/** Sends one batch at a time, so that items of one contact take effect in their order. */
export function createBatcher({ isSilent, send, pause, fields, patience }: BatcherOptions): Batcher {
  const waiting: Waiting[] = [];
  let isSending = false;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) await sendBatch(nextBatch(waiting));
    isSending = false;
  }

  async function sendBatch(batch: readonly Waiting[], attempt = 1): Promise<void> {
    let again: { items: readonly Waiting[]; error: UnavailableError; tries: number } | null = null;
    try {
      const items = batch.map(({ json }) => json).join(",");
      const answered = await send(`{"items":[${items}]${isSilent ? `,"notify":false` : ""}}`);
      // Answers can be assigned to items only if their numbers are equal.
      const answers = Array.isArray(answered) && answered.length === batch.length ? (answered as ItemAnswer[]) : [];
      const errors = batch.map((_, index) => problemOf(answers[index], fields));
      const firstLost = errors.findIndex((error) => error?.code === "storage_unavailable");
      if (firstLost !== 0) patience.renew();
      const done = firstLost === -1 || (firstLost === 0 && attempt === triesMax) ? batch.length : firstLost;
      for (const [index, item] of batch.slice(0, done).entries()) {
        const error = errors[index];
        if (error) item.reject(error);
        else item.resolve(answers[index]!);
      }
      // Sends the later items again too, even those that were written: items of one contact must take effect in order.
      // If some items were answered, the tries are counted from 1 again.
      const lost = errors[done];
      if (lost?.code === "storage_unavailable")
        again = { items: batch.slice(done), error: lost, tries: done > 0 ? 1 : attempt };
    } catch (error) {
      if (!isTooLarge(error) || batch.length === 1 || patience.leftMs() <= 0) rejectAll(batch, error);
      else {
        const middle = batch.length >> 1;
        await sendBatch(batch.slice(0, middle));
        await sendBatch(batch.slice(middle));
      }
    }
    if (!again) return;
    const { items, error: lost, tries } = again;
    await pause(tries, lost).then(
      () => sendBatch(items, tries + 1),
      (error: unknown) => rejectAll(items, error),
    );
  }

  return (json) =>
    new Promise((resolve, reject) => {
      waiting.push({ json, resolve, reject });
      if (isSending) return;
      isSending = true;
      // The batch is sent in a later turn of the event loop, so that other items of this turn join it.
      setTimeout(() => void sendAll());
    });
}

export function sent(json: string, read: Sent["read"]): Sent {
  return { json, read, bytes: json.length };
}

/** Passes items to the batcher one by one. The batcher makes batches of them. */
export function writesBy(batcher: Batcher, prepare: (item: unknown) => Sent): ItemWrites {
  return {
    itemsMax: 1,
    prepare,
    write: (items) => Promise.all(items.map(({ json, read }) => settle(batcher(json).then(read)))),
  };
}

function rejectAll(items: readonly Waiting[], error: unknown): void {
  for (const { reject } of items) reject(error);
}

function nextBatch(waiting: Waiting[]): Waiting[] {
  let characters = 0;
  const tooMany = waiting.findIndex(({ json }) => (characters += json.length + 1) > bodyMaxCharacters);
  const fitting = tooMany === -1 ? waiting.length : Math.max(tooMany, 1);
  return waiting.splice(0, Math.min(fitting, itemsPerBatchMax));
}

function problemOf(answer: Partial<ItemAnswer> | null | undefined, fields: readonly string[]): TrackerError | null {
  const body = answer?.body;
  return isSuccess(body, fields) ? null : (errorOf(body?.["error"]) ?? foreign(ok, true));
}

function isTooLarge(error: unknown): boolean {
  return isTrackerError(error) && error.code === "body_too_large";
}
