import { TrackerError } from "../../../lib/model/errors.ts";
import {
  assertUsableInside,
  errors,
  isGalera,
  isInTransaction,
  type CheckedExecutor,
  type ExecutedHeader as Header,
} from "../connection/index.ts";
import { beginCall, control, textInside, type Control, type Row, type Tables } from "../sql/index.ts";
import { stateOf, type State } from "./state.ts";
import { newRetryState } from "./retries.ts";
import { rowLocked, workOn, type Runner, type Sender, type Work } from "./work.ts";

/** After a duplicate the next try finds the row, unless others keep adding and removing it. Then the caller should start again. */
const triesMax = 10;

const readOnly = "The transaction is read-only: begin one that may write.";

/** Runs each call in a savepoint of the transaction that is open on the executor's connection, one call after another. */
export function createCallersRunner(executor: CheckedExecutor, tables: Tables, assertOpen: () => void): Runner {
  const state = stateOf(executor);

  const run = <Result, Intent>(once: (work: Work<Intent>) => Promise<Result>): Promise<Result> => {
    if (state.ending) return Promise.reject(new TrackerError("transaction_required"));
    const call = executor.takeTurn(async () => {
      assertOpen();
      if (executor.isOver()) throw new TrackerError("transaction_required");
      state.hasWritten = false;
      if (state.isManaged && state.lost) throw new TrackerError("transaction_lost");
      await enter(executor, state, tables);
      return callInSavepoint(executor, state, tables, once);
    });
    state.lastCall = call.catch(() => {});
    return call;
  };

  return {
    read: run,
    writeInSteps: (first, step) =>
      run(async (work: Parameters<typeof step>[0]) => {
        for (let progress = first; ;) {
          const stepped = await step(work, progress);
          // Statements in a caller's transaction wait for locks.
          if (stepped === rowLocked) throw new Error("locks are waited for in a caller's transaction");
          if ("result" in stepped) return stepped.result;
          progress = stepped.next;
        }
      }),
  };
}

/** Sets the savepoint. Throws `transaction_required` if no transaction is open, `transaction_lost` if it was lost. */
async function enter(executor: CheckedExecutor, state: State, tables: Tables): Promise<void> {
  try {
    await assertUsableInside(executor);
    await executor.execute(beginCall(tables), []);
    const isOpen = await setSavepoint(executor);
    // A lost transaction has ended, so an open transaction is a new one.
    if (isOpen) return void (state.lost = false);
  } catch (error) {
    // Some ORMs answer a statement after the loss of a transaction with an error of their own.
    throw state.lost || errors.endsTransaction(error) ? await lose(executor, state, error) : errors.translate(error);
  }
  throw new TrackerError(state.lost ? "transaction_lost" : "transaction_required");
}

/** Resolves with whether a transaction is open. Outside of one, the server answers a SAVEPOINT with OK, and forgets it. */
async function setSavepoint(executor: CheckedExecutor): Promise<boolean> {
  const shown = showsOpen(await executor.execute(control.savepoint, []));
  if (shown !== null) return shown;
  try {
    await executor.execute(control.rollbackToSavepoint, []);
    return true;
  } catch (error) {
    if (errors.isUnknownSavepoint(error)) return false;
    throw error;
  }
}

async function callInSavepoint<Result, Intent>(
  executor: CheckedExecutor,
  state: State,
  tables: Tables,
  once: (work: Work<Intent>) => Promise<Result>,
): Promise<Result> {
  const findings = newRetryState();
  const sender = createSender(executor, state, tables);
  for (let tries = 1; ; tries++) {
    try {
      const options = { waits: true, looksFirst: isGalera(executor.sendsBy) };
      const result = await once(workOn<Intent>(sender, findings, options));
      await steer(executor, control.releaseSavepoint);
      return result;
    } catch (error) {
      await undo(executor, state, error);
      if (errors.isReadOnlyTransaction(error)) {
        throw new TrackerError("transaction_required", { message: readOnly, ...errors.causeOf(error) });
      }
      const isStale = errors.isStaleMarks(error) && performance.now() < findings.until;
      if (!(isStale || errors.isDuplicate(error)) || tries === triesMax) throw errors.translate(error);
      findings.staleMarks ||= isStale;
      findings.duplicateMet ||= !isStale;
    }
  }
}

function createSender(executor: CheckedExecutor, state: State, tables: Tables): Sender {
  const send = (statement: Parameters<Sender["rows"]>[0]): ReturnType<CheckedExecutor["execute"]> => {
    const query = statement(tables);
    return executor.execute(textInside(query), query.values);
  };
  const sender: Sender = {
    announce: (workspace) => void state.announced.add(workspace),
    async writeLater(statement) {
      await sender.write(statement);
    },
    rows: async (statement) => (await send(statement)) as Row[],
    async write(statement) {
      const header = Object(
        await send(statement).catch((error: unknown) => {
          state.hasWritten ||= errors.isLostConnection(error);
          throw error;
        }),
      ) as Header;
      state.hasWritten = true;
      if (!Number.isSafeInteger(header.affectedRows)) {
        throw new errors.UnusableDatabase(
          "whodid needs an `execute` that resolves with `affectedRows` where no rows are read.",
        );
      }
      // Galera can roll back after a statement that it answers with OK.
      if (showsOpen(header) === false) throw new errors.TransactionEnded();
      return header.affectedRows;
    },
  };
  return sender;
}

/** Sends a command. Throws `TransactionEnded` if the server shows that no transaction is open after it. */
async function steer(executor: CheckedExecutor, sql: Control): Promise<void> {
  if (showsOpen(await executor.execute(sql, [])) === false) throw new errors.TransactionEnded();
}

/** Whether a transaction is open; `null` if the answer does not show it. */
function showsOpen(answer: readonly Row[] | Header): boolean | null {
  const { serverStatus } = Object(answer) as Partial<Header>;
  return serverStatus === undefined ? null : isInTransaction(serverStatus);
}

/**
 * Undoes the call's writes. On Galera it rolls back the whole transaction instead: after ROLLBACK TO SAVEPOINT a node of MariaDB
 * 10.11 can commit without the writes, and still send them to others.
 */
async function undo(executor: CheckedExecutor, state: State, error: unknown): Promise<void> {
  const isWhole = state.hasWritten && isGalera(executor.sendsBy);
  if (isWhole || errors.endsTransaction(error)) throw await lose(executor, state, error);
  try {
    await steer(executor, control.rollbackToSavepoint);
  } catch (gone) {
    throw await lose(executor, state, gone);
  }
}

async function lose(executor: CheckedExecutor, state: State, error: unknown): Promise<TrackerError> {
  state.lost = true;
  // If the database has not ended the transaction, nothing more must be written in it.
  await executor.execute(control.rollback, []).catch(() => {});
  const partial = state.hasWritten && !executor.holdsStatements;
  return new TrackerError("transaction_lost", { partial, ...errors.causeOf(error) });
}
