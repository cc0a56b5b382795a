import { randomUUID } from "node:crypto";
import mysql from "mysql2/promise";
import { findServerProgram, type ServerProgram } from "./database-program.ts";
import { givenServer, startThrowawayServer, type Server } from "./database-server.ts";

/** A database server for the tests. */
export interface Database {
  /** Of an empty schema; includes user and password. */
  url: string;
  host: string;
  port: number;
  /** For freezing the server (SIGSTOP, SIGCONT; it may answer for some milliseconds more); `null` while it is down, and for the one at `MYSQL_URL`. */
  readonly pid: number | null;
  /** Resolves to the URL of another empty schema. Whoever asks for it drops it; `stop` drops what is left. */
  createDatabase(): Promise<string>;
  /** Ends the server and removes what it stored; at `MYSQL_URL`, the schemas made here. A process that ends by itself does so too. */
  stop(): Promise<void>;
  /** Kills the server with SIGKILL and resolves once it is gone. Rejects for `MYSQL_URL`. */
  kill9(): Promise<void>;
  /** Starts the server again on its data and port, shutting it down first if it is up. Rejects for `MYSQL_URL`. */
  restart(): Promise<void>;
}

const howToGetOne =
  "install MariaDB (Debian and Ubuntu: be online, it is fetched), or set MYSQL_URL=mysql://user:password@host:port/";

let foundProgram: Promise<ServerProgram | null> | undefined;
const started = new Map<string, Promise<Database | { unavailable: string }>>();

/**
 * The server at `MYSQL_URL`, whose user must be allowed to create databases; else a throwaway one on 127.0.0.1, which ends
 * with this process however that ends. Server arguments always get a throwaway one, and so does a disk: a file
 * system of that size, which takes root or sudo to mount. Calls with equal options share a server until it is stopped. Rejects if there is a server that does not start or does not answer.
 *
 * `unavailable` says in one line how to get one; then this process ends with `MYSQL NOT TESTED: ` and that line, and exits
 * with 1 if `CI` is set.
 */
export function startDatabase(
  options: { serverArguments?: readonly string[]; diskMegabytes?: number } = {},
): Promise<Database | { unavailable: string }> {
  const { serverArguments = [], diskMegabytes = null } = options;
  const key = JSON.stringify([serverArguments, diskMegabytes]);
  const known = started.get(key);
  if (known !== undefined) return known;
  if (started.size === 0) process.once("beforeExit", () => void stopAll());
  const starting = start(serverArguments, diskMegabytes, () => started.delete(key));
  started.set(key, starting);
  return starting;
}

async function start(
  serverArguments: readonly string[],
  diskMegabytes: number | null,
  forget: () => void,
): Promise<Database | { unavailable: string }> {
  const given = process.env["MYSQL_URL"];
  if (given && serverArguments.length === 0 && diskMegabytes === null) return openDatabase(givenServer(given), forget);
  const program = await (foundProgram ??= findServerProgram());
  if (program !== null)
    return openDatabase(await startThrowawayServer(program, serverArguments, { diskMegabytes }), forget);
  process.off("exit", reportUntested).once("exit", reportUntested);
  return { unavailable: howToGetOne };
}

/** A database of that server; `forget` is called when it is stopped. */
export async function openDatabase(server: Server, forget: () => void = () => {}): Promise<Database> {
  const { address } = server;
  const schemas: string[] = [];
  const createDatabase = async (): Promise<string> => {
    const name = `whodid_${randomUUID().replaceAll("-", "")}`;
    await execute(address, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    schemas.push(name);
    const url = new URL(address);
    url.pathname = name;
    return url.href;
  };
  const stop = async (): Promise<void> => {
    forget();
    if (!server.throwaway) {
      for (const name of schemas.splice(0)) await execute(address, `DROP DATABASE IF EXISTS ${name}`);
    }
    await server.stop();
  };
  const url = await createDatabase().catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return {
    url,
    host: address.hostname,
    port: Number(address.port || 3306),
    get pid() {
      return server.pid();
    },
    createDatabase,
    stop,
    kill9: () => server.kill9(),
    restart: () => server.restart(),
  };
}

async function execute(server: URL, statement: string): Promise<void> {
  const connection = await mysql.createConnection(server.href);
  try {
    await connection.execute(statement);
  } finally {
    await connection.end();
  }
}

/** For the schemas at `MYSQL_URL`; a throwaway server would go without. */
async function stopAll(): Promise<void> {
  for (const starting of started.values()) {
    const database = await starting.catch(() => null);
    if (database !== null && !("unavailable" in database)) await database.stop();
  }
}

function reportUntested(): void {
  console.log(`MYSQL NOT TESTED: ${howToGetOne}`);
  if (process.env["CI"]) process.exitCode = 1;
}
