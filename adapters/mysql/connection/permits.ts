import { connectionWaitMs } from "../limits.ts";
import { unavailableBecause } from "./errors.ts";

/** A semaphore that limits how many connections one kind of work uses. */
export interface Permits {
  /** Waits for a permit. Throws `storage_unavailable` after `connectionWaitMs`. */
  take(): Promise<void>;
  /** Takes a permit if one is free. Resolves with whether it did. */
  tryTake(): Promise<boolean>;
  release(this: void): void;
}

/** `maxOf` returns the number of permits. It takes the size of a pool made here, or `null` for a pool that was passed in. */
export function createPermits(
  ownConnections: () => Promise<number | null>,
  maxOf: (connections: number | null) => number,
): Permits {
  let taken = 0;
  const waiting = new Set<() => void>();
  return {
    async take() {
      const max = maxOf(await ownConnections());
      if (taken < max) return void taken++;
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          waiting.delete(proceed);
          reject(unavailableBecause("no_connection"));
        };
        const timer = setTimeout(giveUp, connectionWaitMs);
        const proceed = (): void => {
          waiting.delete(proceed);
          clearTimeout(timer);
          resolve();
        };
        waiting.add(proceed);
      });
    },
    async tryTake() {
      const max = maxOf(await ownConnections());
      if (taken >= max) return false;
      taken++;
      return true;
    },
    release() {
      const [next] = waiting;
      if (next) next();
      else taken--;
    },
  };
}
