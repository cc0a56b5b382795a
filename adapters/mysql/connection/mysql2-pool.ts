import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionOptions, Pool, PoolConnection } from "mysql2";
import type { Pool as PromisePool } from "mysql2/promise";
import { connectionWaitMs, handshakePauseMaxMs, handshakePauseMs, hostAnswerMs } from "../limits.ts";
import * as errors from "./errors.ts";
import type { Generations } from "./failover.ts";
import type { Host } from "./hosts.ts";
import type { Permits } from "./permits.ts";
import type { Sockets, StreamOptions } from "./sockets.ts";

/** A pool of either kind of mysql2. */
export type MysqlPool = Pool | PromisePool;

/** Whether the value is a URL. `URL.canParse` may refuse one with several hosts. */
export function isUrl(poolOrUrl: MysqlPool | string, hosts: readonly Host[]): poolOrUrl is string {
  return typeof poolOrUrl === "string" && (hosts.length > 0 || URL.canParse(poolOrUrl));
}

/** Logs in to the host on a connection of its own. Resolves with whether the host greets it. */
export async function isGreeting(host: Host, hosts: readonly Host[], { open }: Sockets): Promise<boolean> {
  const { createConnection } = await import("mysql2");
  return new Promise((resolve) => {
    // Finishes the log-in, because a server blocks this machine after some unfinished ones (`max_connect_errors`).
    const connection = createConnection({
      ...optionsFor(host.url, hosts),
      stream: (options: StreamOptions) => open(options, host).once("data", () => resolve(true)),
    });
    connection.once("connect", () => connection.end()).on("error", () => resolve(false));
  });
}

export async function makePool(url: string, hosts: readonly Host[], { open }: Sockets): Promise<Pool> {
  const mysql2 = await import("mysql2").catch(() => {
    throw new errors.UnusableDatabase("whodid needs the package mysql2 for a database URL: npm i mysql2");
  });
  assertHosts(hosts);
  const uri = hosts[0]?.url ?? url;
  try {
    return mysql2.createPool({ ...optionsFor(uri, hosts), stream: open });
  } catch (error) {
    throw new errors.UnusableDatabase(`whodid needs a database URL that mysql2 takes: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function optionsFor(uri: string, hosts: readonly Host[]): ConnectionOptions {
  const given = new URL(uri).searchParams;
  return {
    uri,
    ...(!given.has("connectAttributes") && { connectAttributes: { program_name: "whodid" } }),
    ...(hosts.length > 0 && !given.has("connectTimeout") && { connectTimeout: hostAnswerMs }),
  };
}

function assertHosts(hosts: readonly Host[]): void {
  const wrong = hosts.findIndex(({ host }) => host === "");
  if (wrong < 0) return;
  // The message omits the text, which may be a part of a password without percent-encoding.
  throw new errors.UnusableDatabase(
    `whodid needs a host, or a host and a port, between the commas of a database URL; number ${wrong + 1} of ${hosts.length} is neither.`,
  );
}

/** Returns the pool of mysql2 itself, also from one of mysql2/promise. */
export async function corePool(given: unknown): Promise<Pool> {
  const { pool: core = given } = Object(given) as { pool?: unknown };
  if (typeof core === "object" && core !== null && "getConnection" in core) return core as Pool;
  throw new TypeError("mysqlStorage takes a URL or a pool of mysql2.");
}

/**
 * Waits for a connection for at most `connectionWaitMs`, because `getConnection` has no limit. Releases a connection that it
 * returns too late.
 */
export function acquire(pool: Pool, generations: Generations, retries: Permits): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let late = false;
    const isLate = (): boolean => late;
    const timer = setTimeout(() => {
      late = true;
      reject(errors.unavailableBecause("no_connection"));
    }, connectionWaitMs);
    connect(() => askHosts(pool, generations, isLate), retries, isLate)
      .finally(() => clearTimeout(timer))
      .then(
        (connection) => (late ? connection.release() : resolve(connection)),
        // An error without a number comes from the pool itself, which is closed or has a full queue.
        (error: unknown) =>
          reject(errors.numberOf(error) === 0 ? errors.unavailableBecause("no_connection") : errors.translate(error)),
      );
  });
}

/**
 * Retries if a connection is lost in its handshake, as by a proxy whose server is being replaced. One call retries at a time, the
 * one with the permit, because a server blocks this machine after some unfinished log-ins (`max_connect_errors`).
 */
async function connect(
  ask: () => Promise<PoolConnection>,
  retries: Permits,
  isLate: () => boolean,
): Promise<PoolConnection> {
  let isRetrying = false;
  try {
    for (let pauseMs = handshakePauseMs; !isLate(); pauseMs = Math.min(2 * pauseMs, handshakePauseMaxMs)) {
      try {
        return await ask();
      } catch (error) {
        if (!errors.isLostInHandshake(error)) throw error;
      }
      await Promise.all([sleep(pauseMs), isRetrying || retries.take()]);
      isRetrying = true;
    }
    throw errors.unavailableBecause("no_connection");
  } finally {
    if (isRetrying) retries.release();
  }
}

/** Asks each host once until one answers. Rejects with the error of a connection lost in its handshake, else with the last error. */
function askHosts(
  pool: Pool,
  { current, triesMax, add, pass }: Generations,
  isLate: () => boolean,
): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    const ask = (triesLeft: number, lost: Error | null): void => {
      const generation = current();
      pool.getConnection((error, connection) => {
        if (connection) {
          add(connection, generation);
          return resolve(connection);
        }
        const isUnanswered = errors.isLostConnection(error);
        if (isUnanswered) pass(generation);
        const reason = errors.isLostInHandshake(error) ? error : lost;
        if (isUnanswered && triesLeft > 1 && !isLate()) return ask(triesLeft - 1, reason);
        reject(reason ?? error);
      });
    };
    ask(triesMax, null);
  });
}
