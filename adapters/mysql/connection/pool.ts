import type { Connection, PoolConnection } from "mysql2";
import { batchesAtOnceMax } from "../limits.ts";
import { isLostConnection, isNoMoreStatements, isRefusedWrite, Unclean, unavailableBecause } from "./errors.ts";
import { createCallerSessions } from "./caller-sessions.ts";
import { createGenerations } from "./failover.ts";
import { hostsOf } from "./hosts.ts";
import { createOpener, type MysqlPool } from "./mysql2-pool.ts";
import type { Session } from "./session.ts";
import { createSessions } from "./prepared-sessions.ts";
import { createWatch } from "./silence.ts";
import { createSockets } from "./sockets.ts";
import type { PoolStats } from "../stats.ts";

/** Keeps a session, on which a transaction has been begun, for one worker that writes again and again. */
export interface SessionSlot {
  session: Session | null;
}

/** Works with a session while it is lent. */
export type SessionWork<Result> = (session: Session, isKept: boolean) => Promise<Result>;

/** Lends the sessions of a pool. */
export interface SessionPool {
  /**
   * Lends a session while the work runs. Its connection is destroyed afterwards if it was lost or if the work could not be
   * rolled back. With a slot, `isKept` says whether the slot keeps a session whose COMMIT has begun the next transaction.
   * A write is refused, for example, by a primary that a failover has made read-only. Then no connection of the same age or older
   * is lent again: the others lead to that server too, and read the past.
   */
  use<Result>(work: SessionWork<Result>, slot?: SessionSlot | null): Promise<Result>;
  /**
   * The same for work of a caller, who can leave anything in the session (`Session.forCaller`). A connection of our own pool
   * that a caller has used is lent to callers alone.
   */
  useForCaller<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** The number of connections that a pool made here has at most; `null` for a pool that was given. */
  ownConnections(): Promise<number | null>;
  /** Lends no connection of the same age or older any more: the server that they lead to has refused a write. */
  outdate(connection: Connection): void;
  /** Calls the function when closing begins. Returns what takes it out again. */
  onClosing(tell: () => void): () => void;
  /** Throws once it has been closed. */
  assertOpen(): void;
  stats(): PoolStats;
  /** Waits for what runs, then ends a pool made here, also if the server does not answer; one that was given stays open. */
  close(): Promise<void>;
}

/** Takes a URL, whose pool it opens at the first use, or a pool of mysql2. */
export function createSessionPool(poolOrUrl: MysqlPool | string): SessionPool {
  let closing: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();
  const hosts = typeof poolOrUrl === "string" ? hostsOf(poolOrUrl) : [];
  const generations = createGenerations(hosts);
  const sockets = createSockets(generations.host);
  const opener = createOpener(poolOrUrl, hosts, sockets);
  const sessions = createSessions(opener, generations);
  const watch = createWatch(generations, sockets, opener);
  const callers = createCallerSessions(opener, sessions, generations);
  const toldOfClosing = new Set<() => void>();

  async function lend<Result>(work: SessionWork<Result>, slot: SessionSlot | null): Promise<Result> {
    const kept = slot?.session ?? null;
    if (slot) slot.session = null;
    const session = await sessions.take(kept);
    // In a small pool, others may need all of the connections.
    const isKept = slot !== null && ((await opener.ownConnections()) ?? 0) >= 2 * batchesAtOnceMax;
    try {
      const result = await watch(session.connection, async () => {
        await sessions.prepare(session);
        return work(session, isKept);
      });
      if (slot && session.hasBegun() && !closing) slot.session = session;
      else session.connection.release();
      return result;
    } catch (error) {
      throw endUse(session.connection, error);
    }
  }

  async function lendToCaller<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await callers.take();
    try {
      const result = await watch(session.connection, async () => {
        await sessions.prepare(session);
        return session.forCaller(() => work(session));
      });
      await callers.giveBack(session);
      return result;
    } catch (error) {
      // Settings for callers may still be in force on a connection of our own.
      throw endUse(session.connection, error, opener.isOwn);
    }
  }

  function track<Result>(lent: Promise<Result>): Promise<Result> {
    running.add(lent);
    const forget = (): unknown => running.delete(lent);
    lent.then(forget, forget);
    return lent;
  }

  /** Releases or destroys the connection of work that failed. Returns the error to throw. */
  function endUse(connection: PoolConnection, error: unknown, isUseless = false): unknown {
    const told = error instanceof Unclean ? error.cause : error;
    if (isRefusedWrite(told)) generations.outdate(connection);
    // Closing a connection also closes its prepared statements on the server.
    if (isUseless || told !== error || isLostConnection(error) || isNoMoreStatements(error)) connection.destroy();
    else connection.release();
    return told;
  }

  async function end(): Promise<void> {
    for (const tell of toldOfClosing) tell();
    await Promise.allSettled(running);
    await opener.end();
  }

  return {
    use(work, slot = null) {
      if (closing) return Promise.reject(unavailableBecause("closed"));
      return track(lend(work, slot));
    },
    useForCaller: (work) => (closing ? Promise.reject(unavailableBecause("closed")) : track(lendToCaller(work))),
    ownConnections: opener.ownConnections,
    outdate: generations.outdate,
    onClosing(tell) {
      toldOfClosing.add(tell);
      return () => void toldOfClosing.delete(tell);
    },
    assertOpen() {
      if (closing) throw unavailableBecause("closed");
    },
    stats() {
      const waiting = sessions.waiting();
      return { open: sockets.count(), lent: Math.max(0, running.size - waiting), waiting };
    },
    close: () => (closing ??= end()),
  };
}
