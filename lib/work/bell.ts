/** Wakes one waiter. A ring that nobody waits for is kept for the next waiter. */
export interface Bell {
  ring(): void;
  /** Resolves after the ring, or after the time. */
  rung(ms: number): Promise<void>;
}

/** Makes a bell. With `keepsAlive: false` its waiter does not keep the process alive. */
export function createBell({ keepsAlive = true }: { keepsAlive?: boolean } = {}): Bell {
  let hasRung = false;
  let wake = (): void => {};
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async rung(ms) {
      if (!hasRung && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          if (!keepsAlive) timer.unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = () => {};
      }
      hasRung = false;
    },
  };
}
