import type { ConnectionOptions, Pool, PoolConnection } from "mysql2";
import type { Pool as PromisePool } from "mysql2/promise";
import { connectionWaitMs, hostAnswerMs } from "../limits.ts";
import { isLostConnection, numberOf, translate, unavailableBecause, UnusableDatabase } from "./errors.ts";
import type { Generations } from "./failover.ts";
import type { Host } from "./hosts.ts";
import type { Sockets, StreamOptions } from "./sockets.ts";

/** A pool of either kind of mysql2. */
export type MysqlPool = Pool | PromisePool;

/** Opens a pool when it is first used: a build may load the module without the settings of the database. */
export interface Opener {
  /** Whether the pool is made here. */
  isOwn: boolean;
  open(): Promise<Pool>;
  /** The number of connections that a pool made here has at most; `null` for a pool that was given. */
  ownConnections(this: void): Promise<number | null>;
  /** Whether the host greets a new connection. */
  greets(host: Host): Promise<boolean>;
  /** Ends a pool made here, also if the server does not answer; one that was given stays open. */
  end(): Promise<void>;
}

/** `hosts` are those of a URL that has several. */
export function createOpener(poolOrUrl: MysqlPool | string, hosts: readonly Host[], sockets: Sockets): Opener {
  const isOwn = typeof poolOrUrl === "string" && (hosts.length > 0 || URL.canParse(poolOrUrl));
  let opening: Promise<Pool> | undefined;
  const open = (): Promise<Pool> => (opening ??= isOwn ? makePool(poolOrUrl, hosts, sockets) : corePool(poolOrUrl));
  return {
    isOwn,
    open,
    ownConnections: async () => (isOwn ? ((await open()).config.connectionLimit ?? 0) : null),
    async greets(host) {
      const { createConnection } = await import("mysql2");
      return new Promise((resolve) => {
        // Logs in as well: after some unfinished log-ins a server blocks this machine (`max_connect_errors`).
        const connection = createConnection({
          ...optionsFor(host.url, hosts),
          stream: (options: StreamOptions) => sockets.open(options, host).once("data", () => resolve(true)),
        });
        connection.once("connect", () => connection.end()).on("error", () => resolve(false));
      });
    },
    async end() {
      // If it could not be opened, its first use has thrown that.
      const pool = await opening?.catch(() => null);
      if (!isOwn || !pool) return;
      // If the server does not answer, the sockets are destroyed instead.
      pool.end(() => {});
      await sockets.ended();
    },
  };
}

async function makePool(url: string, hosts: readonly Host[], { open }: Sockets): Promise<Pool> {
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
  // The text is not shown: it may be part of a password that was to be percent-encoded.
  throw new UnusableDatabase(
    `whodid needs a host, or a host and a port, between the commas of a database URL; number ${wrong + 1} of ${hosts.length} is neither.`,
  );
}

async function corePool(given: unknown): Promise<Pool> {
  const { pool: core = given } = Object(given) as { pool?: unknown };
  if (typeof core === "object" && core !== null && "getConnection" in core) return core as Pool;
  throw new TypeError("mysqlStorage takes a URL or a pool of mysql2.");
}

/**
 * `getConnection` waits without a limit. A connection that it returns too late is released at once. If a host does not answer,
 * the next one is asked.
 */
export function acquire(
  pool: Pool,
  acquiring: { count: number },
  { current, triesMax, add, pass }: Generations,
): Promise<PoolConnection> {
  acquiring.count++;
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
        // An error without a number comes from the pool itself: it is closed, or its queue is full.
        if (error) reject(numberOf(error) === 0 ? unavailableBecause("no_connection") : translate(error));
        else resolve(connection);
      });
    };
    ask(triesMax);
  }).finally(() => acquiring.count--);
}
