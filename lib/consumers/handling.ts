/** Handles one change. */
import { inspect } from "node:util";
import type { InTransaction } from "../in-transaction.ts";
import type { Change } from "../model/change-types.ts";
import { errorMaxCharacters } from "../model/limits.ts";
import type { Scope } from "../scope.ts";
import type { ChangeFailure } from "../storage/consumers.ts";
import { isUnavailable, type LeasedSlot, type LeasedSlots, type Item } from "./leased-slots.ts";
import type { HandlerContext } from "./methods.ts";

/** A handler. `tx` and `connection` are set if it runs in a transaction. */
export type Handler = (
  change: Change,
  context: HandlerContext & { tx?: InTransaction; connection?: unknown },
) => unknown;

export interface Handling {
  scope: Scope;
  handler: Handler;
  transaction: boolean;
  handlerTimeoutSeconds: number;
  /** Decides what to store about a change that failed. `null` if the try does not count, and the change is to be taken again. */
  failureOf(item: Item, error: unknown): ContactFailure | null;
  /** The methods inside a transaction. */
  methodsIn(scope: Scope): InTransaction;
}

/** How often a change has failed, and the pause before its next try; `null` if its contact is parked. */
export type ContactFailure = Pick<ChangeFailure, "failures" | "pauseMs">;

/** `left` if the change was not handled and did not fail. The slot must be given up, and the change is taken again. */
export type Outcome = "handled" | "failed" | "left";

/** Calls the handler for a change of the slot, and stores the outcome. Rejects if the outcome cannot be stored. */
export async function handle(
  handling: Handling,
  leased: LeasedSlots,
  slot: LeasedSlot,
  item: Item,
  isStopped: () => boolean,
): Promise<Outcome> {
  const thrown: unknown[] = [];
  const call = async (inside: { tx?: InTransaction; connection?: unknown }): Promise<void> => {
    // The consumer may have been stopped while the transaction waited for a connection.
    slot.isGivenUp ||= isStopped();
    if (slot.isGivenUp) throw new Error("The consumer was stopped, or another has taken over.");
    try {
      await callHandler(handling, slot, item.change, inside);
    } catch (error) {
      thrown.push(error);
      throw error;
    }
  };
  try {
    if (handling.transaction) await inTransaction(handling, leased, slot, item, call);
    else await call({});
  } catch (error) {
    // If the storage failed, and not the handler, the outcome of the commit is unknown. The stored position tells it later.
    if (slot.isGivenUp || (thrown.length === 0 && isUnavailable(error))) return "left";
    return storeFailure(handling, leased, slot, item, thrown.length === 0 ? error : thrown[0]);
  }
  // A transaction has stored the position. Without one, the release of the slot stores it, unless the contact had waited.
  const isStored = handling.transaction || !item.waited || (await leased.store(slot, item, null));
  return isStored ? "handled" : "left";
}

async function inTransaction(
  { scope, methodsIn }: Handling,
  leased: LeasedSlots,
  slot: LeasedSlot,
  item: Item,
  call: (inside: { tx: InTransaction; connection: unknown }) => Promise<void>,
): Promise<void> {
  await scope.storage.transaction(async (storage, connection) => {
    await call({ tx: methodsIn({ ...scope, storage }), connection });
    const [isLeased] = await storage.acknowledge(scope.workspace, [leased.progressAfter(slot, item, null)]);
    if (isLeased) return;
    leased.lose(slot);
    // Rolls back the rows of the handler. The consumer that has the slot now handles the change again.
    throw new Error("The lease of the slot has ended.");
  });
}

async function storeFailure(
  { failureOf }: Handling,
  leased: LeasedSlots,
  slot: LeasedSlot,
  item: Item,
  error: unknown,
): Promise<Outcome> {
  const failure = failureOf(item, error);
  if (failure === null) return "left";
  return (await leased.store(slot, item, { ...failure, error: describe(error) })) ? "failed" : "left";
}

/** Rejects if the handler rejects, and when its signal is aborted, even if the handler never settles. */
async function callHandler(
  { handler, handlerTimeoutSeconds }: Handling,
  slot: LeasedSlot,
  change: Change,
  inside: { tx?: InTransaction; connection?: unknown },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const running = createRunning(reject);
      slot.running = running;
      const expire = (): void =>
        running.abort(new Error(`The handler did not settle within ${handlerTimeoutSeconds} s.`));
      timer = setTimeout(expire, handlerTimeoutSeconds * 1_000);
      const context = {
        ...inside,
        get signal() {
          return running.signal();
        },
      };
      // The async function turns a throw into a rejection.
      (async () => handler(change, context))().then(() => resolve(), reject);
    });
  } finally {
    slot.running = null;
    clearTimeout(timer);
  }
}

/** Aborts a handler. Creates the signal when the handler reads it, because a signal costs as much as a quick handler. */
function createRunning(reject: (reason: Error) => void): { abort(reason: Error): void; signal(): AbortSignal } {
  let controller: AbortController | undefined;
  let abortedBy: Error | undefined;
  return {
    abort(reason) {
      abortedBy = reason;
      controller?.abort(reason);
      reject(reason);
    },
    signal() {
      controller ??= new AbortController();
      if (abortedBy) controller.abort(abortedBy);
      return controller.signal;
    },
  };
}

/** The error as one text, for an operator to read. Every storage can keep the text. */
function describe(error: unknown): string {
  return textOf(error).slice(0, errorMaxCharacters).toWellFormed();
}

/** Never throws: without a text the failure would not be stored, and its change would be taken again at once. */
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : inspect(error);
  } catch {
    return "An error without a readable text.";
  }
}
