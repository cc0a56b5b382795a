import { jsonPerTurnBytes } from "../model/limits.ts";

/** Lets other work run. Browsers have no `node:timers`; the client runs there too, but never calls this. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Settles as the work does, or resolves with `late` after so many milliseconds. */
export function within<Result, Late>(milliseconds: number, work: Promise<Result>, late: Late): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<Late>((resolve) => (timer = setTimeout(resolve, milliseconds, late)));
  return Promise.race([work, expiry]).finally(() => clearTimeout(timer));
}

/** Makes a function to call with the bytes of each piece of work. After each `jsonPerTurnBytes` it lets other work run. */
export function createTurns(): (bytes: number) => Promise<void> | undefined {
  let left = jsonPerTurnBytes;
  return (bytes) => {
    left -= bytes;
    if (left > 0) return undefined;
    left = jsonPerTurnBytes;
    return nextTurn();
  };
}
