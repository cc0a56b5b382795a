import type { Pool, PoolConnection } from "mysql2";
import type { Pool as PromisePool } from "mysql2/promise";
import { connectionWaitMs } from "../limits.ts";
import { numberOf, translate, unavailableBecause, UnusableDatabase } from "./errors.ts";
import type { Sockets } from "./sockets.ts";

/** A pool of either kind of mysql2. */
export type MysqlPool = Pool | PromisePool;

/** Opens a pool when it is first used: a build may load the module without the settings of the database. */
export interface Opener {
  /** Whether the pool is made here. */
  isOwn: boolean;
  open(): Promise<Pool>;
  /** The number of connections that a pool made here has at most; `null` for a pool that was given. */
  ownConnections(this: void): Promise<number | null>;
  /** Ends a pool made here, also if the server does not answer; one that was given stays open. */
  end(): Promise<void>;
}

export function createOpener(poolOrUrl: MysqlPool | string, sockets: Sockets): Opener {
  const isOwn = typeof poolOrUrl === "string" && URL.canParse(poolOrUrl);
  let opening: Promise<Pool> | undefined;
  const open = (): Promise<Pool> => (opening ??= isOwn ? makePool(poolOrUrl, sockets) : corePool(poolOrUrl));
  return {
    isOwn,
    open,
    ownConnections: async () => (isOwn ? ((await open()).config.connectionLimit ?? 0) : null),
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

async function makePool(uri: string, { open }: Sockets): Promise<Pool> {
  const mysql2 = await import("mysql2").catch(() => {
    throw new UnusableDatabase("whodid needs the package mysql2 for a database URL: npm i mysql2");
  });
  const isNamed = new URL(uri).searchParams.has("connectAttributes");
  try {
    return mysql2.createPool({ uri, stream: open, ...(!isNamed && { connectAttributes: { program_name: "whodid" } }) });
  } catch (error) {
    throw new UnusableDatabase(`whodid needs a database URL that mysql2 takes: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

async function corePool(given: unknown): Promise<Pool> {
  const { pool: core = given } = Object(given) as { pool?: unknown };
  if (typeof core === "object" && core !== null && "getConnection" in core) return core as Pool;
  throw new TypeError("mysqlStorage takes a URL or a pool of mysql2.");
}

/** `getConnection` waits without a limit. A connection that it returns too late is released at once. */
export function acquire(pool: Pool, acquiring: { count: number }): Promise<PoolConnection> {
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
      // An error without a number comes from the pool itself: it is closed, or its queue is full.
      else if (error) reject(numberOf(error) === 0 ? unavailableBecause("no_connection") : translate(error));
      else resolve(connection);
    });
  }).finally(() => acquiring.count--);
}
