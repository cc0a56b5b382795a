/** Calls `work`, or joins the unfinished call of the same name. */
export type ShareCall = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes a function that shares calls by name. At most `atOnceMax` of them run at once; the others wait for their turn. */
export function createSharedCalls(atOnceMax: number): ShareCall {
  const byName = new Map<string, Promise<unknown>>();
  /** Functions that each begin a call. */
  const queue: (() => void)[] = [];
  let running = 0;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < atOnceMax) running++;
    else await new Promise<void>((begin) => queue.push(begin));
    try {
      return await work();
    } finally {
      const begin = queue.shift();
      if (begin) begin();
      else running--;
    }
  }

  return async <Result>(name: string, work: () => Promise<Result>) => {
    const unfinished = byName.get(name);
    // Calls of one name have one type of result.
    if (unfinished) return unfinished as Promise<Result>;
    const result = inTurn(work).finally(() => byName.delete(name));
    byName.set(name, result);
    return result;
  };
}
