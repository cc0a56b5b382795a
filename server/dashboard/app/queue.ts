/** Runs tasks in order, at most `atOnceMax` at once. */
export function createQueue(atOnceMax: number): <Value>(run: () => Promise<Value>) => Promise<Value> {
  let free = atOnceMax;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
