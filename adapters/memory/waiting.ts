import { TrackerError } from "../../lib/errors.ts";

/** An open transaction that others can wait for. */
export interface Holder {
  ended: Promise<void>;
  waitsFor: Holder | null;
}

/**
 * Resolves when `holder` has ended. Rejects at the deadline (a time of `performance.now`), or at once if `holder` waits for
 * `self`, directly or not.
 */
export async function waitForEnd(holder: Holder, self: Holder | null, deadline: number): Promise<void> {
  for (let other: Holder | null = holder; other; other = other.waitsFor) {
    if (other === self) throw new TrackerError("transaction_lost");
  }
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TrackerError("storage_unavailable")), deadline - performance.now());
  });
  if (self) self.waitsFor = holder;
  try {
    await Promise.race([holder.ended, expiry]);
  } finally {
    if (self) self.waitsFor = null;
    clearTimeout(timer);
  }
}
