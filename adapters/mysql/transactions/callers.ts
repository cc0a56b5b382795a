import type { Connection } from "mysql2";
import { TrackerError } from "../../../lib/errors.ts";
import {
  assertUsable,
  causeOf,
  command,
  coreConnection,
  endsTransaction,
  isDuplicate,
  TransactionEnded,
  translate,
} from "../connection/index.ts";
import { control, enterCall, type Control, type Tables } from "../sql/index.ts";
import { held, workOn, type Findings, type Runner, type Work } from "./work.ts";

/** The state of a connection, shared by all runners on it. */
interface State {
  lastCall: Promise<unknown>;
  /** Whether its transaction was lost, and no new one has been seen on it. */
  lost: boolean;
}

const states = new WeakMap<Connection, State>();

/** After a duplicate the next try finds the row. If duplicates go on, rows come and go, and the caller should start again. */
const triesMax = 10;

/** Runs each call in a savepoint of the caller's transaction. Throws a `TypeError` if `transaction` is not a connection. */
export function createCallersRunner(transaction: object, tables: Tables, assertOpen: () => void): Runner {
  const connection = coreConnection(transaction);

  const run = <Result, Intent>(once: (work: Work<Intent>) => Promise<Result>): Promise<Result> => {
    const state = states.get(connection) ?? { lastCall: Promise.resolve(), lost: false };
    states.set(connection, state);
    const call = state.lastCall.then(async () => {
      assertOpen();
      await enter(connection, state, tables);
      try {
        return await callInSavepoint(connection, state, tables, once);
      } finally {
        await leave(connection, state);
      }
    });
    state.lastCall = call.catch(() => {});
    return call;
  };

  return {
    read: run,
    write(items, once) {
      const copies = structuredClone(items);
      return run(async (work: Parameters<typeof once>[0]) => {
        const answers = await once(work, copies);
        return answers.map((answer) => {
          if (answer === held) throw new Error("locks are waited for in a caller's transaction");
          return answer;
        });
      });
    },
    writeInSteps: (first, step) =>
      run(async (work: Parameters<typeof step>[0]) => {
        for (let state = first; ;) {
          const stepped = await step(work, state);
          if (stepped === held) throw new Error("locks are waited for in a caller's transaction");
          if ("result" in stepped) return stepped.result;
          state = stepped.next;
        }
      }),
  };
}

/** Throws `transaction_required` if no transaction is open, `transaction_lost` if it was lost. */
async function enter(connection: Connection, state: State, tables: Tables): Promise<void> {
  try {
    await assertUsable(connection, { autocommit: false });
    const isOpen = await command(connection, enterCall(tables));
    // A lost transaction has ended, so an open one is a new one.
    if (isOpen) return void (state.lost = false);
  } catch (error) {
    throw await refusal(connection, state, error);
  }
  await command(connection, control.restoreLockWait).catch(() => {});
  throw new TrackerError(state.lost ? "transaction_lost" : "transaction_required");
}

async function callInSavepoint<Result, Intent>(
  connection: Connection,
  state: State,
  tables: Tables,
  once: (work: Work<Intent>) => Promise<Result>,
): Promise<Result> {
  const findings: Findings = { duplicateMet: false, uncertain: false, intent: null };
  try {
    await steer(connection, control.savepoint);
  } catch (error) {
    throw await refusal(connection, state, error);
  }
  for (let tries = 1; ; tries++) {
    try {
      const result = await once(workOn<Intent>(connection, tables, findings, [], { timeoutMs: null, waits: true }));
      await steer(connection, control.releaseSavepoint);
      return result;
    } catch (error) {
      await undo(connection, state, error);
      if (!isDuplicate(error) || tries === triesMax) throw translate(error);
      findings.duplicateMet = true;
    }
  }
}

/** Rolls back to the savepoint. Throws `transaction_lost` if the transaction has ended, or its snapshot cannot be used. */
async function undo(connection: Connection, state: State, error: unknown): Promise<void> {
  if (endsTransaction(error)) throw await lose(connection, state, error);
  try {
    await steer(connection, control.rollbackToSavepoint);
  } catch (gone) {
    throw await lose(connection, state, gone);
  }
}

/** Ends a call. The server reports the end of a transaction once, to the next statement, which can be one of these. */
async function leave(connection: Connection, state: State): Promise<void> {
  const isKnown = state.lost;
  try {
    await steer(connection, control.restoreLockWait);
  } catch (error) {
    if (isKnown) return;
    const lost = await lose(connection, state, error);
    // The statement that reported the loss was not carried out.
    await command(connection, control.restoreLockWait).catch(() => {});
    throw lost;
  }
}

/** Sends a command. Throws `TransactionEnded` if the server reports no open transaction after it. */
async function steer(connection: Connection, sql: Control): Promise<void> {
  if (!(await command(connection, sql))) throw new TransactionEnded();
}

async function refusal(connection: Connection, state: State, error: unknown): Promise<unknown> {
  return endsTransaction(error) ? lose(connection, state, error) : translate(error);
}

async function lose(connection: Connection, state: State, error: unknown): Promise<TrackerError> {
  state.lost = true;
  // If the database has not ended the transaction, nothing more must be written in it.
  await command(connection, control.rollback).catch(() => {});
  return new TrackerError("transaction_lost", causeOf(error));
}
