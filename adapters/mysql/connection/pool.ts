import type { Connection, Pool, PoolConnection } from "mysql2";
import { batchesAtOnceMax } from "../limits.ts";
import type { PoolStats } from "../stats.ts";
import { createCallerSessions } from "./caller-sessions.ts";
import { isLostConnection, isNoMoreStatements, isRefusedWrite, Unclean, unavailableBecause } from "./errors.ts";
import { createGenerations } from "./failover.ts";
import { hostsOf } from "./hosts.ts";
import { acquire, corePool, isGreeting, isUrl, makePool, type MysqlPool } from "./mysql2-pool.ts";
import { createPermits } from "./permits.ts";
import { createSession, type Session } from "./session.ts";
import { createSilence } from "./silence.ts";
import { createSockets } from "./sockets.ts";

/** Keeps a session for one worker that writes repeatedly. */
export interface Lane {
  session: Session | null;
}

/** Work with a session. If `isKept` is true, a lane keeps the session, so its COMMIT should begin the next transaction. */
type SessionWork<Result> = (session: Session, isKept: boolean) => Promise<Result>;

/** The sessions of a pool, one for each connection. */
export interface SessionPool {
  /**
   * Runs the work with a session. If the work fails, destroys a connection that was lost or that could not be rolled back. If
   * the server refused a write, its connections are not used again: see `outdate`.
   */
  use<Result>(work: SessionWork<Result>, lane?: Lane | null): Promise<Result>;
  /**
   * Runs a caller's work, which can change the session in any way (`Session.forCaller`). Afterwards a connection of our own
   * pool is used for callers alone.
   */
  useForCaller<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** The largest number of connections of a pool made here; `null` for a pool that was passed in. */
  ownConnections(this: void): Promise<number | null>;
  /**
   * Stops the use of this connection and of those that are as old or older. They lead to a server that refuses writes, such as
   * a primary after a failover, and whose rows may be old.
   */
  outdate(connection: Connection): void;
  /** Calls the function when closing begins. Returns a function that cancels this. */
  onClosing(listener: () => void): () => void;
  /** Throws after `close`. */
  assertOpen(this: void): void;
  stats(): PoolStats;
  /** Waits for running work. Then ends a pool made here, even if the server does not answer. A pool that was passed in stays open. */
  close(): Promise<void>;
}

/** Takes a pool of mysql2 or a URL. Makes the pool of a URL at its first use, because a build may load modules without settings. */
export function createSessionPool(poolOrUrl: MysqlPool | string): SessionPool {
  const hosts = typeof poolOrUrl === "string" ? hostsOf(poolOrUrl) : [];
  const isOwn = isUrl(poolOrUrl, hosts);
  const generations = createGenerations(hosts);
  const sockets = createSockets(generations.host);
  const unlessSilent = createSilence(generations, sockets, (host) => isGreeting(host, hosts, sockets));
  const retries = createPermits(ownConnections, () => 1);
  const callers = createCallerSessions(() => take(null), ownConnections, generations);
  const sessions = new WeakMap<Connection, Session>();
  const running = new Set<Promise<unknown>>();
  const closingListeners = new Set<() => void>();
  let waiting = 0;
  let opening: Promise<Pool> | undefined;
  let closing: Promise<void> | undefined;

  const open = (): Promise<Pool> => (opening ??= isOwn ? makePool(poolOrUrl, hosts, sockets) : corePool(poolOrUrl));

  async function ownConnections(): Promise<number | null> {
    return isOwn ? ((await open()).config.connectionLimit ?? 0) : null;
  }

  /** Waits for a connection, unless a session was kept. Destroys outdated connections. */
  async function take(kept: Session | null): Promise<Session> {
    const pool = await open();
    let connection = kept?.connection ?? (await wait(pool));
    while (generations.isOutdated(connection)) {
      connection.destroy();
      connection = await wait(pool);
    }
    const session = sessions.get(connection) ?? createSession(connection, isOwn);
    sessions.set(connection, session);
    return session;
  }

  function wait(pool: Pool): Promise<PoolConnection> {
    waiting++;
    return acquire(pool, generations, retries).finally(() => waiting--);
  }

  /** Prepares the session and runs the work. Releases or destroys the connection if that fails. */
  async function run<Result>(
    { connection, prepare }: Session,
    work: () => Promise<Result>,
    isForCaller: boolean,
  ): Promise<Result> {
    try {
      return await unlessSilent(connection, async () => {
        await prepare();
        return work();
      });
    } catch (error) {
      const reason = error instanceof Unclean ? error.cause : error;
      if (isRefusedWrite(reason)) generations.outdate(connection);
      // A connection of our own may still have settings for callers. If the server has too many prepared statements, closing the
      // connection frees some.
      const isUseless = (isForCaller && isOwn) || reason !== error || isLostConnection(error);
      if (isUseless || isNoMoreStatements(error)) connection.destroy();
      else connection.release();
      throw reason;
    }
  }

  async function useSession<Result>(work: SessionWork<Result>, lane: Lane | null): Promise<Result> {
    const kept = lane?.session ?? null;
    if (lane) lane.session = null;
    const session = await take(kept);
    // In a small pool, other calls may need all connections.
    const isKept = lane !== null && ((await ownConnections()) ?? 0) >= 2 * batchesAtOnceMax;
    const result = await run(session, () => work(session, isKept), false);
    if (lane && isKept && session.isReady() && !closing) lane.session = session;
    else session.connection.release();
    return result;
  }

  async function useForCaller<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await callers.take();
    const result = await run(session, () => session.forCaller(() => work(session)), true);
    await callers.giveBack(session);
    return result;
  }

  function track<Result>(start: () => Promise<Result>): Promise<Result> {
    if (closing) return Promise.reject(unavailableBecause("closed"));
    const started = start();
    running.add(started);
    const forget = (): unknown => running.delete(started);
    started.then(forget, forget);
    return started;
  }

  async function end(): Promise<void> {
    for (const listener of closingListeners) listener();
    await Promise.allSettled(running);
    // If the pool could not be made, its first use has thrown the error.
    const pool = await opening?.catch(() => null);
    if (!isOwn || !pool) return;
    // If the server does not answer, `ended` destroys the sockets.
    pool.end(() => {});
    await sockets.ended();
  }

  return {
    use: (work, lane = null) => track(() => useSession(work, lane)),
    useForCaller: (work) => track(() => useForCaller(work)),
    ownConnections,
    outdate: generations.outdate,
    onClosing(listener) {
      closingListeners.add(listener);
      return () => void closingListeners.delete(listener);
    },
    assertOpen() {
      if (closing) throw unavailableBecause("closed");
    },
    stats: () => ({ open: sockets.count(), inUse: Math.max(0, running.size - waiting), waiting }),
    close: () => (closing ??= end()),
  };
}
