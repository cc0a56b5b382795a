import { TrackerError } from "../../lib/model/errors.ts";
import { lockedContactWaitMs } from "../../lib/model/limits.ts";

/** An open transaction that others can wait for. */
export interface Holder {
  ended: Promise<void>;
  waitsFor: Holder | null;
}

/** Another transaction has locked a name. */
export class Locked extends Error {
  readonly holder: Holder;
  constructor(holder: Holder) {
    super("held by an open transaction");
    this.holder = holder;
  }
}

/**
 * Runs the operation for each input in turn. An operation that throws `Locked` runs again when the transaction that holds the
 * name has ended. All operations together wait at most `lockedContactWaitMs`. `assertOpen` throws when the storage is closed.
 */
export async function runWhenFree<Input, Result>(
  self: Holder | null,
  inputs: readonly Input[],
  operation: (input: Input) => Result,
  assertOpen: () => void,
): Promise<Result[]> {
  assertOpen();
  const results: Result[] = [];
  let remaining = inputs;
  let deadline: number | undefined;
  while (results.length < remaining.length) {
    assertOpen();
    try {
      // The length was just compared.
      results.push(operation(remaining[results.length]!));
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      // Copies, because the caller can change its inputs while this call waits.
      if (remaining === inputs) remaining = structuredClone(inputs);
      deadline ??= performance.now() + lockedContactWaitMs;
      await waitForEnd(error.holder, self, deadline);
    }
  }
  return results;
}

/**
 * Resolves when `holder` has ended. Rejects at the deadline (a time of `performance.now`), or at once if `holder` waits for
 * `self`, directly or not.
 */
async function waitForEnd(holder: Holder, self: Holder | null, deadline: number): Promise<void> {
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
