import { setTimeout as sleep } from "node:timers/promises";
import type { Tracker } from "../../../lib/index.ts";
import { handledTables } from "./roles.ts";

const keys = Object.keys(handledTables) as (keyof typeof handledTables)[];

/** Retries what is parked, and counts that. */
export function startRetrying(tracker: Tracker): { stop(): Promise<number> } {
  const stopping = new AbortController();
  let count = 0;
  const retrying = (async () => {
    for (; !stopping.signal.aborted; await sleep(500)) {
      // The database is killed: it is unreachable now and then.
      for (const key of keys) count += await retryParked(tracker, key).catch(() => 0);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await retrying;
      return count;
    },
  };
}

async function retryParked({ subscriptions }: Tracker, key: string): Promise<number> {
  const { items } = await subscriptions.parked(key);
  for (const { changeId } of items) await subscriptions.retry(key, changeId);
  return items.length;
}
