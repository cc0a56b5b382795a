import type { ConnectionOptions, Pool, PoolConnection } from "mysql2";
import type { Pool as PromisePool } from "mysql2/promise";
import { connectionWaitMs, hostAnswerMs } from "../limits.ts";
import { isLostConnection, numberOf, translate, unavailableBecause, UnusableDatabase } from "./errors.ts";
import type { Generations } from "./failover.ts";
import type { Host } from "./hosts.ts";
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
    // A server blocks this machine after some unfinished logins (`max_connect_errors`).
    const connection = createConnection({
      ...optionsFor(host.url, hosts),
      stream: (options: StreamOptions) => open(options, host).once("data", () => resolve(true)),
    });
    connection.once("connect", () => connection.end()).on("error", () => resolve(false));
  });
}

/** Makes a pool for a URL. */
export async function makePool(url: string, hosts: readonly Host[], { open }: Sockets): Promise<Pool> {
  const mysql2 = await import("mysql2").catch(() => {
    throw new UnusableDatabase("whodid needs the package mysql2 for a database URL: npm i mysql2");
  });
  assertHosts(hosts);
  const uri = hosts[0]?.url ?? url;
  try {
    return mysql2.createPool({ ...optionsFor(uri, hosts), stream: open });
  } catch (error) {
    throw new UnusableDatabase(`whodid needs a database URL that mysql2 takes: ${(error as Error).message}.`, {
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
  throw new UnusableDatabase(
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
 * returns too late. Asks the next host if one does not answer.
 */
export function acquire(pool: Pool, { current, triesMax, add, pass }: Generations): Promise<PoolConnection> {
  return new Promise<PoolConnection>((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(unavailableBecause("no_connection"));
    }, connectionWaitMs);
    const ask = (triesLeft: number): void => {
      const generation = current();
      pool.getConnection((error, connection) => {
        if (connection) add(connection, generation);
        const isUnanswered = isLostConnection(error);
        if (isUnanswered) pass(generation);
        if (late) return connection?.release();
        if (isUnanswered && triesLeft > 1) return ask(triesLeft - 1);
        clearTimeout(timer);
        // An error without a number comes from the pool itself, which is closed or has a full queue.
        if (error) reject(numberOf(error) === 0 ? unavailableBecause("no_connection") : translate(error));
        else resolve(connection);
      });
    };
    ask(triesMax);
  });
}
