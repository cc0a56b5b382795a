import NodeCache from "node-cache";
import { cachedKeysMax, connectionWaitMs, lookUpKeysMax, lookUpsQueuedMax, unknownKeysMax } from "../limits.ts";
import { errors } from "../connection/index.ts";

/** Caches values for some seconds. */
export interface Cache<Value> {
  /**
   * Resolves with the value of a `load` that began at most `seconds` ago; `null` if it found none. Rejects with
   * `storage_unavailable` if 10,000 calls wait already.
   */
  get(key: string): Promise<Value | null>;
  /** Drops the key's value, and the result of a running load. Must be called after a write that may have changed it. */
  forget(key: string): void;
}

/** Finds the values of the keys. A key without a value is absent from the result. The keys are distinct. */
export type Load<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/**
 * Runs one load at a time, for all keys that wait, so a flood of unknown keys takes at most one connection. With 0 seconds
 * nothing is cached.
 */
export function createCache<Value>(seconds: number, load: Load<Value>): Cache<Value> {
  // A `checkperiod` would keep a timer running. Clones would cost more than the look-up.
  const found = new NodeCache({ stdTTL: seconds, checkperiod: 0, useClones: false });
  // The latest keys without a value, and until when; few, so that a flood of them cannot fill the memory.
  const absent = new Map<string, number>();
  const waiting = new Map<string, Waiter<Value>[]>();
  let forgotten = new Set<string>();
  let isLoading = false;
  let callsWaiting = 0;

  async function loadAll(): Promise<void> {
    isLoading = true;
    // Calls that are made together share the load.
    await Promise.resolve();
    while (waiting.size > 0) {
      const taken = [...waiting].slice(0, lookUpKeysMax);
      for (const [key] of taken) waiting.delete(key);
      forgotten = new Set();
      // The load may be slow, so its begin counts. The system's clock, which node-cache uses, can be set back.
      const until = performance.now() + 1_000 * seconds;
      try {
        const values = await load(taken.map(([key]) => key));
        for (const [key, waiters] of taken) {
          const value = values.get(key) ?? null;
          if (!forgotten.has(key)) remember(key, value, until);
          for (const { resolve } of waiters) resolve(value);
        }
      } catch (error) {
        for (const { reject } of taken.flatMap(([, waiters]) => waiters)) reject(error);
        if (errors.isNoConnection(error)) limitWaits(error);
      }
      for (const [, waiters] of taken) callsWaiting -= waiters.length;
    }
    isLoading = false;
  }

  /** Rejects each waiting call `connectionWaitMs` after its start, because the waiting calls need a connection too. */
  function limitWaits(error: unknown): void {
    for (const { since, reject } of [...waiting.values()].flat()) {
      setTimeout(reject, since + connectionWaitMs - performance.now(), error).unref();
    }
  }

  function remember(key: string, value: Value | null, until: number): void {
    if (seconds === 0) return;
    if (value === null) {
      absent.delete(key);
      absent.set(key, until);
      if (absent.size > unknownKeysMax) absent.delete(absent.keys().next().value!);
      return;
    }
    // `maxKeys` would make `set` throw.
    if (found.getStats().keys >= cachedKeysMax) found.flushAll();
    found.set(nameOf(key), { value, until });
  }

  return {
    get(key) {
      const kept = found.get<{ value: Value; until: number }>(nameOf(key));
      if (kept && performance.now() < kept.until) return Promise.resolve(kept.value);
      if (performance.now() < (absent.get(key) ?? -Infinity)) return Promise.resolve(null);
      if (callsWaiting >= lookUpsQueuedMax) return Promise.reject(errors.unavailableBecause("look_ups_full"));
      callsWaiting++;
      return new Promise((resolve, reject) => {
        const waiters = waiting.get(key) ?? [];
        waiters.push({ resolve, reject, since: performance.now() });
        waiting.set(key, waiters);
        if (!isLoading) void loadAll();
      });
    },
    forget(key) {
      if (isLoading) forgotten.add(key);
      found.del(nameOf(key));
      absent.delete(key);
    },
  };
}

/** The name of the key. Prefixed: node-cache thinks that it has a key `__proto__`. */
function nameOf(key: string): string {
  return `of ${key}`;
}

interface Waiter<Value> {
  resolve(value: Value | null): void;
  reject(error: unknown): void;
  /** When the call began, by `performance.now()`. */
  since: number;
}
