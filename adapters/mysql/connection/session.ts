import type { PoolConnection } from "mysql2";
import { commitMs, connectionWaitMs, statementsMs } from "../limits.ts";
import { command, execute, limitTime, sendText, setOwnLimits } from "./execute.ts";
import { isBeforeCommit, isKnownFailure, isLostConnection, Unclean, UnknownOutcome } from "./errors.ts";
import {
  committedAfter,
  compoundOf,
  control,
  fitsSeveral,
  severalOf,
  type Query,
  type Row,
  type Sequence,
  type SequenceForm,
} from "../sql/index.ts";
import { assertUsable, hasChanged, noteState } from "./check.ts";
import { allowSequences, refuseSeveral } from "./forms.ts";
import { resetOwn } from "./session-reset.ts";

/** One connection of the pool, and the state of its transaction. */
export interface Session {
  readonly connection: PoolConnection;
  /** Checks a new connection, and sets the limits of one of our own pool. Does nothing from the second time on. */
  prepare(this: void): Promise<void>;
  /** Begins a transaction at READ COMMITTED, unless the last COMMIT has begun one. */
  begin(): Promise<void>;
  /**
   * Commits. With `andBegin` the COMMIT also begins the next transaction. If there are `last` writes, executes them in the same
   * round trip before the COMMIT, and ignores `andBegin`. Throws `Unclean` if the outcome is unknown.
   */
  commit(options: { andBegin: boolean; last?: readonly Query[] }): Promise<void>;
  /** The form of sequences; `null` if none can be sent, as on a pool that was passed in, which has session settings of its own. */
  form(this: void): SequenceForm | null;
  /** Whether the sequence can be sent in one round trip. */
  takes(this: void, sequence: Sequence): boolean;
  /** Executes a sequence that `takes` accepts. Returns the rows of each of its SELECTs. */
  send(this: void, sequence: Sequence): Promise<Row[][]>;
  /** Like `send`, for a sequence with a COMMIT. Rolls back after an error. Throws `Unclean` if the outcome is unknown. */
  run(sequence: Sequence): Promise<Row[][]>;
  /** Rolls back after the error, and throws it; throws `Unclean` if that fails. */
  rollBack(this: void, error: unknown): Promise<never>;
  /** Whether the next transaction begins without a round trip of its own: by the last COMMIT, or with its first statement. */
  isReady(): boolean;
  /**
   * Runs the work with a lock wait timeout of 1 s, and then restores the timeout. An insert that waits for another transaction
   * delays its whole batch. Our own pool always has this timeout. With `endsIfIdle` the server also ends the connection after
   * 5 s without a statement.
   */
  withShortWaits<Result>(work: () => Promise<Result>, options: { endsIfIdle: boolean }): Promise<Result>;
  /**
   * Runs a caller's work with autocommit off. If the server rolls the transaction back, the caller's next statement begins
   * another, which is rolled back too. A connection of our own keeps autocommit off and gets the server's default limits. From
   * then on it is used for callers alone.
   */
  forCaller<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Undoes the changes of a caller's statements to the session. Destroys the connection of a pool that was passed in, if its
   * database, its access mode or a setting that our statements need has changed.
   */
  reset(): Promise<void>;
}

function ignore(): void {}

/** `isOwn` marks a connection of a pool made here. Its session has READ COMMITTED and a lock wait timeout of 1 s. */
export function createSession(connection: PoolConnection, isOwn: boolean): Session {
  let isPrepared = false;
  let isBegun = false;
  let isForCallers = false;
  let form: SequenceForm | null = null;
  // The pool listens for the first error alone. Without a listener, a second error would end the process. All storages add the
  // same function, so a connection of a shared pool has it once.
  if (!connection.listeners("error").includes(ignore)) connection.on("error", ignore);

  const set = (settings: () => Promise<unknown>): Promise<unknown> => limitTime(connection, commitMs, settings);

  return {
    connection,
    async prepare() {
      if (isPrepared) return;
      await limitTime(connection, connectionWaitMs, async () => {
        await assertUsable(connection);
        if (!isOwn) return;
        await command(connection, control.ownReadCommitted);
        await setOwnLimits(connection, statementsMs);
        form = await allowSequences(connection);
      });
      isPrepared = true;
    },
    async begin() {
      if (isBegun) return;
      if (!isOwn) await command(connection, control.readCommitted);
      await command(connection, control.begin);
    },
    async commit({ andBegin, last = [] }) {
      isBegun = false;
      if (last.length > 0) return void (await this.run(committedAfter(last)));
      const sql = andBegin ? control.commitAndBegin : control.commit;
      const isOpen = await limitTime(connection, commitMs, () => command(connection, sql)).catch((error: unknown) => {
        throw isKnownFailure(error) ? error : unknownAfter(error);
      });
      // Galera may commit without beginning the next transaction. Then each statement would commit by itself.
      isBegun = andBegin && isOpen;
    },
    async rollBack(error) {
      isBegun = false;
      if (isLostConnection(error)) throw error;
      await limitTime(connection, commitMs, () => command(connection, control.rollback)).catch(() => {
        throw new Unclean("", { cause: error });
      });
      throw error;
    },
    form: () => form,
    takes: (sequence) => form === "compound" || (form === "several" && fitsSeveral(sequence)),
    async send(sequence) {
      const results: unknown =
        form === "several"
          ? await sendText(connection, severalOf(sequence))
          : await execute(connection, compoundOf(sequence), statementsMs);
      // Keeps the results of SELECTs, which are arrays of rows. Without a SELECT a compound statement returns a single header.
      return Array.isArray(results) ? results.filter((result): result is Row[] => Array.isArray(result)) : [];
    },
    async run(sequence) {
      return limitTime(connection, commitMs, () => this.send(sequence)).catch((error: unknown) =>
        isBeforeCommit(error) ? this.rollBack(error) : Promise.reject(unknownAfter(error)),
      );
    },
    isReady: () => isBegun || form !== null,
    async withShortWaits(work, { endsIfIdle }) {
      if (isOwn && !endsIfIdle) return work();
      await set(() => command(connection, control.shortenWaits));
      try {
        return await work();
      } finally {
        await set(() => command(connection, control.restoreWaits)).catch(() => connection.destroy());
      }
    },
    async forCaller(work) {
      if (isForCallers) return work();
      if (!isOwn) await set(() => noteState(connection));
      await set(() => command(connection, control.autocommitOff));
      if (isOwn) {
        await set(() => command(connection, control.defaultLimits));
        if (form === "several") await set(() => refuseSeveral(connection));
        form = null;
        isForCallers = true;
        return work();
      }
      try {
        return await work();
      } finally {
        await set(() => command(connection, control.autocommitOn)).catch(() => connection.destroy());
      }
    },
    async reset() {
      await set(async () => {
        if (isOwn) await resetOwn(connection);
        else if (await hasChanged(connection)) connection.destroy();
      }).catch(() => connection.destroy());
    },
  };
}

function unknownAfter(error: unknown): Unclean {
  return new Unclean("", { cause: new UnknownOutcome("", { cause: error }) });
}
