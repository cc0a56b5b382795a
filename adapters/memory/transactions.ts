import { TrackerError } from "../../lib/model/errors.ts";
import type { Transaction } from "../../lib/model/types.ts";
import { overlayTables, type Tables } from "./tables.ts";
import { assertFree, assertNotClosed, makeTables, nameIn, type State, type View } from "./view.ts";
import { runWhenFree, type Holder } from "./locks.ts";

/** A transaction that `memoryStorage().begin()` has begun, for `tracker.within`. */
export interface MemoryTransaction {
  /** Commits the writes. Rejects with `transaction_lost` or, after the end of the transaction, with `transaction_required`. */
  commit(): Promise<void>;
  /** Discards the writes. Does nothing after the end of the transaction. */
  rollback(): Promise<void>;
}

/** The view inside a transaction. Throws a `TypeError` if the transaction is not from this storage's `begin`. */
export function viewOf({ transactions }: State, transaction: Transaction): View {
  const view = transactions.get(transaction);
  if (!view) throw new TypeError("within takes what begin() of this memory storage handed out");
  return view;
}

export function beginTransaction(state: State): MemoryTransaction {
  const written = layerOver((workspace) => makeTables(state, workspace));
  const locks = createLocks(state);
  let endReason: EndReason | null = null;
  // Calls run one after another, as on a database connection.
  let lastCall: Promise<unknown> = Promise.resolve();

  const view: View = {
    tables: written.tables,
    makeTables: written.tables,
    claim: locks.claim,
    run(inputs, operation) {
      const copies = structuredClone(inputs);
      const call = lastCall.then(() => runOnLayer(copies, operation));
      lastCall = call.catch(() => {});
      return call;
    },
    runItems: (items, operation) => view.run(items, operation),
  };

  /** A layer works like a savepoint: a call that fails leaves none of its writes, but keeps its locks. */
  const runOnLayer: View["run"] = async (inputs, operation) => {
    assertOpen();
    const { tables, apply } = layerOver(written.tables);
    try {
      const layer = { ...view, tables, makeTables: tables };
      const results = await runWhenFree(
        locks.holder,
        inputs,
        (input) => operation(layer, input),
        () => assertNotClosed(state),
      );
      apply();
      return results;
    } catch (error) {
      if (error instanceof TrackerError && error.code === "transaction_lost") end("transaction_lost");
      throw error;
    }
  };

  function assertOpen(): void {
    assertNotClosed(state);
    if (endReason) throw new TrackerError(endReason);
  }

  function end(because: EndReason): void {
    endReason = because;
    state.open.delete(giveUp);
    locks.release();
  }

  const giveUp = (): void => end("transaction_lost");
  state.open.add(giveUp);

  async function commit(): Promise<void> {
    await lastCall;
    assertOpen();
    written.apply();
    end("transaction_required");
  }

  async function rollback(): Promise<void> {
    await lastCall;
    if (!endReason) end("transaction_required");
  }

  const transaction = { commit, rollback };
  state.transactions.set(transaction, view);
  return transaction;
}

/** The error code of calls after the transaction has ended. */
type EndReason = "transaction_required" | "transaction_lost";

/** Begins a transaction for `run`, and ends it. */
export async function runInTransaction<Result>(
  state: State,
  run: (view: View, transaction: MemoryTransaction) => Promise<Result>,
): Promise<Result> {
  assertNotClosed(state);
  const transaction = beginTransaction(state);
  let result: Result;
  try {
    result = await run(viewOf(state, transaction), transaction);
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  await transaction.commit().catch((error: unknown) => {
    // `run` has ended the transaction by itself.
    const isEnded = error instanceof TrackerError && error.code === "transaction_required";
    throw isEnded ? new TrackerError("transaction_lost", { partial: true }) : error;
  });
  return result;
}

/** Keeps the names that a transaction has locked, until they are released. */
function createLocks(state: State) {
  const claimed = new Set<string>();
  let announceEnd = (): void => {};
  const holder: Holder = { waitsFor: null, ended: new Promise((resolve) => (announceEnd = resolve)) };
  return {
    holder,
    claim(workspace: string, names: () => string[]): void {
      const wanted = names();
      assertFree(state, workspace, wanted, holder);
      for (const name of wanted.map((each) => nameIn(workspace, each))) {
        claimed.add(name);
        state.holders.set(name, holder);
      }
    },
    release(): void {
      for (const name of claimed) state.holders.delete(name);
      announceEnd();
    },
  };
}

/** Makes overlay tables for each workspace when they are first used. */
function layerOver(base: (workspace: string) => Tables): { tables(workspace: string): Tables; apply(): void } {
  const overlays = new Map<string, ReturnType<typeof overlayTables>>();
  return {
    tables(workspace) {
      const overlay = overlays.get(workspace) ?? overlayTables(base(workspace));
      overlays.set(workspace, overlay);
      return overlay;
    },
    apply() {
      for (const overlay of overlays.values()) overlay.apply();
    },
  };
}
