import type { Connection } from "mysql2";
import { TrackerError } from "../../lib/errors.ts";
import { assertUsable, command, coreConnection } from "./connections.ts";
import {
  causeOf,
  isDuplicate,
  isKnownFailure,
  isLockWaitTimeout,
  isLostConnection,
  isUnknownSavepoint,
  translate,
} from "./errors.ts";
import { control, type Tables } from "./statements.ts";
import { held, workOn, type Runner, type Work } from "./transactions.ts";

/** What is known of a connection, whichever handle uses it. */
interface State {
  lastCall: Promise<unknown>;
  /** Whether its transaction was lost, and no new one has been seen on it. */
  lost: boolean;
}

const states = new WeakMap<Connection, State>();

/** Looking again after a duplicate finds it; met over and over, rows come and go, and the caller had better begin anew. */
const triesMax = 10;

/** Runs each call as one savepoint of the transaction that the caller has opened on the connection. Throws a `TypeError` for no connection. */
export function createCallersRunner(transaction: object, tables: Tables, assertOpen: () => void): Runner {
  const connection = coreConnection(transaction);

  const run = <Result>(once: (work: Work) => Promise<Result>): Promise<Result> => {
    const state = states.get(connection) ?? { lastCall: Promise.resolve(), lost: false };
    states.set(connection, state);
    const call = state.lastCall.then(async () => {
      assertOpen();
      await enter(connection, state);
      await command(connection, control.boundLockWait);
      try {
        return await callInSavepoint(connection, state, tables, once);
      } finally {
        // Fails only where the connection is lost, which the call has told.
        await command(connection, control.restoreLockWait).catch(() => {});
      }
    });
    state.lastCall = call.catch(() => {});
    return call;
  };

  return {
    read: run,
    write(items, once) {
      const copies = structuredClone(items);
      return run(async (work) => {
        const answers = await once(work, copies);
        return answers.map((answer) => {
          if (answer === held) throw new Error("locks are waited for in a caller's transaction");
          return answer;
        });
      });
    },
    writeInSteps: (first, step) =>
      run(async (work) => {
        for (let state = first; ;) {
          const stepped = await step(work, state);
          if (stepped === held) throw new Error("locks are waited for in a caller's transaction");
          if ("result" in stepped) return stepped.result;
          state = stepped.next;
        }
      }),
  };
}

/** Sets the savepoint. Outside of a transaction it is gone at once, which going back to it tells. */
async function enter(connection: Connection, state: State): Promise<void> {
  try {
    await command(connection, control.savepoint);
    await command(connection, control.rollbackToSavepoint);
    await assertUsable(connection, { autocommit: false });
  } catch (error) {
    if (isUnknownSavepoint(error)) throw new TrackerError(state.lost ? "transaction_lost" : "transaction_required");
    throw isLostConnection(error) ? lose(state, error) : translate(error);
  }
  // A lost transaction has ended, so this is another.
  state.lost = false;
}

async function callInSavepoint<Result>(
  connection: Connection,
  state: State,
  tables: Tables,
  once: (work: Work) => Promise<Result>,
): Promise<Result> {
  const lessons = { duplicateMet: false, uncertain: false, uncommitted: [] };
  for (let tries = 1; ; tries++) {
    try {
      const result = await once(workOn(connection, tables, lessons, null, true));
      // Gone with the transaction if that was rolled back meanwhile.
      await command(connection, control.releaseSavepoint);
      return result;
    } catch (error) {
      await undo(connection, state, error);
      if (!isDuplicate(error) || tries === triesMax) throw translate(error);
      lessons.duplicateMet = true;
    }
  }
}

/** Leaves nothing half-written. Throws `transaction_lost` when the transaction, or what it has seen, cannot be relied on. */
async function undo(connection: Connection, state: State, error: unknown): Promise<void> {
  const failed = isKnownFailure(error) && !isLockWaitTimeout(error);
  const lost = failed || isLostConnection(error) || isUnknownSavepoint(error);
  try {
    // Where the database has not ended a lost one itself, nothing more may be written in it either.
    await command(connection, lost ? control.rollback : control.rollbackToSavepoint);
  } catch {
    throw lose(state, error);
  }
  if (lost) throw lose(state, error);
}

function lose(state: State, error: unknown): TrackerError {
  state.lost = true;
  return new TrackerError("transaction_lost", causeOf(error));
}
