import { TrackerError } from "../../lib/errors.ts";

/** An open transaction, as those see it who wait for it. */
export interface Holder {
  ended: Promise<void>;
  waitsFor: Holder | null;
}

/**
 * Resolves when `holder` has ended. Rejects at the deadline (of `performance.now`), and at once where `self` is what the holder
 * itself waits for.
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
