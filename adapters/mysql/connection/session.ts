import type { PoolConnection } from "mysql2";
import { commitMs, connectionWaitMs, statementsMs } from "../limits.ts";
import { command, limitTime, setOwnLimits } from "./execute.ts";
import { isKnownFailure, isLostConnection, Unclean, UnknownOutcome } from "./errors.ts";
import { control } from "../sql/index.ts";
import { assertUsable, hasChanged, noteState } from "./check.ts";

/** One connection of the pool, and the state of its transaction. */
export interface Session {
  readonly connection: PoolConnection;
  /** Checks a new connection, and sets the limits of one of our own pool. Does nothing from the second time on. */
  prepare(this: void): Promise<void>;
  /** Begins a transaction that reads what is committed, unless the last COMMIT has begun one. */
  begin(): Promise<void>;
  /** With `andBegin` the same round trip begins the next transaction. Throws `Unclean` if its outcome is unknown. */
  commit(options: { andBegin: boolean }): Promise<void>;
  /** Rolls back after the error, and throws it; throws `Unclean` if that fails. */
  rollBack(this: void, error: unknown): Promise<never>;
  /** Whether the last COMMIT has begun the next transaction. */
  hasBegun(): boolean;
  /**
   * Runs the work with a lock wait timeout of 1 s: an insert waits for the transaction that holds its name, and the rest of
   * the batch waits with it. Afterwards a given pool's connection has its own timeout again.
   */
  withShortLockWaits<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs work of a caller. Autocommit is off: after the server has rolled the transaction back, a statement of the caller's
   * begins another, and is not kept. A connection of our own keeps this, with the server's default limits instead of ours:
   * from now on it is for callers alone.
   */
  forCaller<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Undoes what statements of a caller have left in the session. A given pool's connection is destroyed instead if its
   * database, its access mode or a setting that our statements rely upon has changed.
   */
  reset(): Promise<void>;
}

/** `isOwn` is for a pool made here: its session settings make it read what is committed, and wait 1 s for a lock. */
export function createSession(connection: PoolConnection, isOwn: boolean): Session {
  let isPrepared = false;
  let isBegun = false;
  let isForCallers = false;

  const set = (settings: () => Promise<unknown>): Promise<unknown> => limitTime(connection, commitMs, settings);
  const setLockWait = (lockWait: typeof control.shortenLockWait | typeof control.restoreLockWait): Promise<boolean> =>
    limitTime(connection, commitMs, () => command(connection, lockWait));

  return {
    connection,
    async prepare() {
      if (isPrepared) return;
      await limitTime(connection, connectionWaitMs, async () => {
        await assertUsable(connection);
        if (!isOwn) return;
        await command(connection, control.ownReadCommitted);
        await setOwnLimits(connection, statementsMs);
      });
      isPrepared = true;
    },
    async begin() {
      if (isBegun) return;
      if (!isOwn) await command(connection, control.readCommitted);
      await command(connection, control.begin);
    },
    async commit({ andBegin }) {
      isBegun = false;
      const sql = andBegin ? control.commitAndBegin : control.commit;
      const isOpen = await limitTime(connection, commitMs, () => command(connection, sql)).catch((error: unknown) => {
        throw isKnownFailure(error) ? error : new Unclean("", { cause: new UnknownOutcome("", { cause: error }) });
      });
      // Galera may commit and not begin the next transaction: each statement that followed would then commit by itself.
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
    hasBegun: () => isBegun,
    async withShortLockWaits(work) {
      if (isOwn) return work();
      await setLockWait(control.shortenLockWait);
      try {
        return await work();
      } finally {
        await setLockWait(control.restoreLockWait).catch(() => connection.destroy());
      }
    },
    async forCaller(work) {
      if (isForCallers) return work();
      if (!isOwn) await set(() => noteState(connection));
      await set(() => command(connection, control.autocommitOff));
      if (isOwn) {
        await set(() => command(connection, control.defaultLimits));
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
      const isUsable = set(async () => (isOwn ? resetOwn(connection) : !(await hasChanged(connection))));
      if (!(await isUsable.catch(() => false))) connection.destroy();
    },
  };
}

/** The client's flag for the mode IGNORE_SPACE, which the server reads only when a connection is made. */
const ignoreSpaceFlag = 0x100;

/** Without `changeUser` the database of USE would stay: COM_RESET_CONNECTION keeps it. */
async function resetOwn(connection: PoolConnection): Promise<boolean> {
  await new Promise<void>((resolve, reject) => {
    connection.changeUser({}, (error) => (error ? reject(error) : resolve()));
  });
  await command(connection, control.forCallers);
  const { clientFlags } = connection.config as { clientFlags?: number };
  if (Number(clientFlags) & ignoreSpaceFlag) await command(connection, control.ignoreSpace);
  return true;
}
