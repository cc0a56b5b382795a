import type { Connection, Pool, PoolConnection } from "mysql2";
import type { Pool as PromisePool } from "mysql2/promise";
import { batchesAtOnceMax, connectionWaitMs } from "../limits.ts";
import { assertUsable, command, limitTime } from "./session.ts";
import {
  isLostConnection,
  isNoMoreStatements,
  isRefusedWrite,
  numberOf,
  translate,
  unavailableBecause,
  UnusableDatabase,
} from "./errors.ts";
import { createSockets, type Sockets } from "./sockets.ts";
import type { PoolStats } from "../stats.ts";
import { control } from "../sql/statement.ts";

/** A pool of either kind of mysql2. */
export type MysqlPool = Pool | PromisePool;

/** A connection that is lent. */
export interface Lent {
  connection: Connection;
  /** Whether it is of a pool made here: it reads what is committed, and waits 1 s for a lock. */
  isOwn: boolean;
  /** Whether it goes to the lane afterwards, where a transaction may be left begun on it. */
  isKept: boolean;
  /** Whether there is one: whoever leaves one says so. */
  isBegun: boolean;
}

/** Keeps a connection for whoever writes again and again, one after another. */
export interface Lane {
  kept: PoolConnection | null;
}

/** Where connections come from. */
export interface Connections {
  /**
   * Lends a connection while the work runs. One that was lost, or whose work could not be undone, does not go back; one with a
   * transaction left begun goes to the lane. Once a write is refused, as by a primary that a failover has made read-only, no
   * connection that is as old is lent again: the others lead to that server too, and what they read is the past.
   */
  use<Result>(work: (lent: Lent) => Promise<Result>, lane?: Lane | null): Promise<Result>;
  /** Throws once it has been closed. */
  assertOpen(): void;
  stats(): PoolStats;
  /** Waits for what runs, then ends a pool made here, also if the server does not answer; one that was given stays open. */
  close(): Promise<void>;
}

export function createConnections(poolOrUrl: MysqlPool | string): Connections {
  let opening: Promise<Pool> | undefined;
  let closing: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();
  const acquiring = { count: 0 };
  const isOwn = typeof poolOrUrl === "string" && URL.canParse(poolOrUrl);
  const sockets = createSockets();
  const open = (): Promise<Pool> => (opening ??= isOwn ? createPool(poolOrUrl, sockets) : corePool(poolOrUrl));
  /** Of each prepared connection; a refused write begins the next one. */
  const generations = new WeakMap<Connection, number>();
  let generation = 0;

  async function prepare(connection: Connection): Promise<void> {
    await assertUsable(connection, { autocommit: true });
    if (isOwn) for (const setting of ownSettings) await command(connection, setting);
    generations.set(connection, generation);
  }

  /** Ends those of an earlier generation that it comes across. */
  async function take(kept: PoolConnection | null): Promise<PoolConnection> {
    const pool = await open();
    let connection = kept ?? (await acquire(pool, acquiring));
    while ((generations.get(connection) ?? generation) < generation) {
      connection.destroy();
      connection = await acquire(pool, acquiring);
    }
    return connection;
  }

  async function lend<Result>(work: (lent: Lent) => Promise<Result>, lane: Lane | null): Promise<Result> {
    const kept = lane?.kept ?? null;
    if (lane) lane.kept = null;
    const connection = await take(kept);
    // Of a small pool the others may need them all.
    const isKept = lane !== null && isOwn && ((await open()).config.connectionLimit ?? 0) >= 2 * batchesAtOnceMax;
    const lent: Lent = { connection, isOwn, isKept, isBegun: connection === kept };
    try {
      if (!generations.has(connection)) await limitTime(connection, connectionWaitMs, () => prepare(connection));
      const result = await work(lent);
      if (lane && lent.isBegun && !closing) lane.kept = connection;
      else connection.release();
      return result;
    } catch (error) {
      // The server forgets a connection's statements with it, and has room for others.
      const isFull = isNoMoreStatements(error);
      const told = error instanceof Unclean ? error.cause : error;
      if (isRefusedWrite(told) && generations.get(connection) === generation) generation++;
      if (told !== error || isLostConnection(error) || isFull) connection.destroy();
      else connection.release();
      throw told;
    }
  }

  async function end(): Promise<void> {
    await Promise.allSettled(running);
    if (!isOwn || !opening) return;
    // One that could not be made has told so at its first use.
    const pool = await opening.catch(() => null);
    if (!pool) return;
    // A connection that cannot be ended, because the server does not answer, is gone all the same.
    pool.end(() => {});
    await sockets.ended();
  }

  return {
    use(work, lane = null) {
      if (closing) return Promise.reject(unavailableBecause("closed"));
      const lent = lend(work, lane);
      running.add(lent);
      const forget = (): unknown => running.delete(lent);
      lent.then(forget, forget);
      return lent;
    },
    assertOpen() {
      if (closing) throw unavailableBecause("closed");
    },
    stats: () => ({ open: sockets.count(), lent: running.size - acquiring.count, waiting: acquiring.count }),
    close: () => (closing ??= end()),
  };
}

const ownSettings = [control.ownReadCommitted, control.ownLockWait] as const;

/** Wraps an error after which the connection's state is not known. */
export class Unclean extends Error {}

async function createPool(uri: string, { open }: Sockets): Promise<Pool> {
  const { createPool } = await import("mysql2").catch(() => {
    throw new UnusableDatabase("whodid needs the package mysql2 for a database URL: npm i mysql2");
  });
  const isNamed = new URL(uri).searchParams.has("connectAttributes");
  try {
    return createPool({ uri, stream: open, ...(!isNamed && { connectAttributes: { program_name: "whodid" } }) });
  } catch (error) {
    throw new UnusableDatabase(`whodid needs a database URL that mysql2 takes: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/** Not before the first use: a module may be loaded where its settings are not, as in a build. */
async function corePool(given: unknown): Promise<Pool> {
  const { pool: core = given } = Object(given) as { pool?: unknown };
  if (typeof core === "object" && core !== null && "getConnection" in core) return core as Pool;
  throw new TypeError("mysqlStorage takes a URL or a pool of mysql2.");
}

/** `getConnection` waits for ever; one that it hands out too late goes back at once. */
function acquire(pool: Pool, acquiring: { count: number }): Promise<PoolConnection> {
  acquiring.count++;
  return new Promise<PoolConnection>((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(unavailableBecause("no_connection"));
    }, connectionWaitMs);
    pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (late) connection?.release();
      // An error without a number is the pool's own: closed, or full.
      else if (error) reject(numberOf(error) === 0 ? unavailableBecause("no_connection") : translate(error));
      else resolve(connection);
    });
  }).finally(() => acquiring.count--);
}
