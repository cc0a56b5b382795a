import type { Connection as PromiseConnection } from "mysql2/promise";
import { TrackerError } from "../../../lib/model/errors.ts";
import { lockedContactWaitMs } from "../../../lib/model/limits.ts";
import {
  command,
  createPermits,
  errors,
  lend,
  limitTime,
  type CheckedExecutor,
  type Session,
  type SessionPool,
} from "../connection/index.ts";
import { commitMs, statementsMs } from "../limits.ts";
import { control, type Control } from "../sql/index.ts";
import { stateOf } from "./state.ts";
import { persist } from "./retries.ts";
import type { Committed } from "./work.ts";

/** The caller's function in a managed transaction. Our calls use the executor. The function's own statements use the connection. */
export type ManagedWork<Result> = (executor: CheckedExecutor, connection: PromiseConnection) => Promise<Result>;

/** Begins a transaction, runs the caller's work in it once, and commits it, or rolls it back if the work rejects. */
export type RunManaged = <Result>(work: ManagedWork<Result>) => Promise<Result>;

/** The outcome of the work. An error may be any value. */
type Outcome<Result> = { result: Result } | { error: unknown };

export function createManagedTransactions(
  sessions: SessionPool,
  retried: (error: unknown) => void,
  committed: Committed,
): RunManaged {
  // A caller's function may use its connection for any time, so other calls keep half of our own pool.
  const permits = createPermits(sessions.ownConnections, (connections) =>
    connections === null ? Infinity : Math.max(1, Math.floor(connections / 2)),
  );
  return async <Result>(work: ManagedWork<Result>): Promise<Result> => {
    sessions.assertOpen();
    await permits.take();
    try {
      // `persist` retries only until the transaction has begun. A later failure is the outcome.
      const outcome = await persist(retried, () =>
        sessions.useForCaller((session) => transact(sessions, session, work, committed)),
      );
      if ("error" in outcome) throw outcome.error;
      return outcome.result;
    } finally {
      permits.release();
    }
  };
}

async function transact<Result>(
  sessions: SessionPool,
  session: Session,
  work: ManagedWork<Result>,
  committed: Committed,
): Promise<Outcome<Result>> {
  const { connection } = session;
  await limitTime(connection, statementsMs, async () => {
    await session.begin();
    await command(connection, control.managedSavepoint);
  });
  const loss: { by: unknown } = { by: null };
  const lent = lend(connection, lockedContactWaitMs + statementsMs, (error) => {
    if (errors.isRefusedWrite(error)) sessions.outdate(connection);
    if (!errors.endsTransaction(error)) return;
    loss.by ??= error;
    state.lost = true;
  });
  const state = stateOf(lent.executor);
  state.isManaged = true;
  const outcome = await untilClosing(sessions, () => work(lent.executor, lent.connection));
  const isUsed = lent.takeBack();
  state.ending = true;
  await state.lastCall;
  const settled = await settleTransaction(sessions, session, outcome, state.lost ? loss : null);
  if ("result" in settled) committed(state.announced);
  if (isUsed) await session.reset();
  return settled;
}

/** Commits if the work has a result and the transaction was not lost; else rolls back. */
async function settleTransaction<Result>(
  sessions: SessionPool,
  session: Session,
  outcome: Outcome<Result>,
  loss: { by: unknown } | null,
): Promise<Outcome<Result>> {
  if ("error" in outcome) {
    await rollBack(session);
    return outcome;
  }
  const failure = loss ? await declareLost(session, loss.by) : await commit(sessions, session);
  return failure ? { error: failure } : outcome;
}

/** Resolves with the outcome of the work, or with an error when the storage is closed: `close` does not wait for the work. */
async function untilClosing<Result>(sessions: SessionPool, work: () => Promise<Result>): Promise<Outcome<Result>> {
  let forget = (): void => {};
  const closing = new Promise<Outcome<Result>>((resolve) => {
    forget = sessions.onClosing(() => resolve({ error: errors.unavailableBecause("closed") }));
  });
  const outcome = await Promise.race([settle(work), closing]);
  forget();
  return outcome;
}

async function settle<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error };
  }
}

/** Resolves with the error for the caller, or `null` after a commit. */
async function commit(sessions: SessionPool, session: Session): Promise<unknown> {
  try {
    // The savepoint is gone if the work has ended the transaction, or has caught the error that reported its end.
    const isOpen = await send(session, control.releaseManagedSavepoint);
    if (!isOpen) throw new errors.TransactionEnded();
  } catch (error) {
    // Without an error before, the work has ended the transaction itself, maybe by a COMMIT.
    return declareLost(session, error, { partial: errors.isUnknownSavepoint(error) });
  }
  try {
    await session.commit({ andBegin: false });
    return null;
  } catch (error) {
    if (errors.isRefusedWrite(error)) sessions.outdate(session.connection);
    if (errors.isKnownFailure(error)) return declareLost(session, error);
    session.connection.destroy();
    return errors.translate((error as Error).cause);
  }
}

async function declareLost(session: Session, error: unknown, { partial } = { partial: false }): Promise<TrackerError> {
  await rollBack(session);
  return new TrackerError("transaction_lost", { partial, ...errors.causeOf(error) });
}

/** The server rolls back what a destroyed connection has not committed. */
async function rollBack(session: Session): Promise<void> {
  await send(session, control.rollback).catch(() => session.connection.destroy());
}

function send({ connection }: Session, sql: Control): Promise<boolean> {
  return limitTime(connection, commitMs, () => command(connection, sql));
}
