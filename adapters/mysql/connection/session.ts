import type { Connection, QueryOptions, ResultSetHeader } from "mysql2";
import type { Connection as PromiseConnection } from "mysql2/promise";
import { serverHeadStartMs } from "../../../lib/limits.ts";
import { Expired, UnusableDatabase } from "./errors.ts";
import { text, type Row } from "../sql/rows.ts";
import { probe, textOf, type Control, type Query, type Statement, type Tables } from "../sql/statement.ts";

/** A connection of either kind of mysql2. */
export type MysqlConnection = Connection | PromiseConnection;

/** What a statement that is not a query answers. */
interface Header {
  affectedRows: number;
  insertId: number;
}

/** The one below mysql2/promise, which is the same for both kinds. Throws a `TypeError` for anything else. */
export function coreConnection(given: object): Connection {
  const core = "connection" in given ? given.connection : given;
  if (typeof core === "object" && core !== null && "execute" in core && !("getConnection" in core)) {
    return core as Connection;
  }
  throw new TypeError("This takes a connection of mysql2.");
}

/**
 * Executes a statement with options of its own, so that none of the pool's counts. Values never travel by `query`. The server is
 * told how long the statement may take, a little less, so that it answers before the connection is given up; `null`: as long as
 * it likes.
 */
export function execute(
  connection: Connection,
  query: Query,
  timeoutMs: number | null = null,
): Promise<Row[] | Header> {
  const options = {
    sql: textOf(query, timeoutMs === null ? null : timeoutMs - serverHeadStartMs),
    values: [...query.values],
    namedPlaceholders: false,
    rowsAsArray: false,
    nestTables: false as const,
    // Only a function goes before one of the pool's, and each field then costs a call.
    typeCast: typeof connection.config.typeCast === "function" ? castPlainly : true,
    supportBigNumbers: false,
    bigNumberStrings: false,
    dateStrings: false,
  };
  return new Promise((resolve, reject) => {
    connection.execute(options, (error, result) => {
      if (query.isVariable) unprepare(connection, options);
      if (error) reject(error);
      else resolve(result as unknown as Row[] | Header);
    });
  });
}

function unprepare(connection: Connection, options: QueryOptions): void {
  try {
    // The types know of the text alone; mysql2 keeps the statement under the text and the options.
    connection.unprepare(options as unknown as string);
  } catch {
    // Thrown where the connection was closed meanwhile, with which the statement is gone.
  }
}

function castPlainly(_field: unknown, next: () => unknown): unknown {
  return next();
}

/** A bit of what the server says of its state (SERVER_STATUS_IN_TRANS). */
const inTransaction = 1;

/**
 * Sends one of the fixed commands, which hold no values and of which MySQL cannot prepare all. Resolves with whether a
 * transaction is open after it, as the server says.
 */
export function command(connection: Connection, sql: Control): Promise<boolean> {
  return new Promise((resolve, reject) => {
    connection.query<ResultSetHeader>(
      { sql, rowsAsArray: false },
      (error, { serverStatus } = {} as ResultSetHeader) => {
        if (error) reject(error);
        else resolve((serverStatus & inTransaction) !== 0);
      },
    );
  });
}

/** Resolves or rejects as the work does, at most `ms` later; then the connection is destroyed, and `Expired` thrown. */
export async function limitTime<Result>(
  connection: Connection,
  ms: number,
  work: () => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      connection.destroy();
      reject(new Expired("The database did not answer in time."));
    }, ms);
  });
  try {
    return await Promise.race([work(), expiry]);
  } finally {
    clearTimeout(timer);
  }
}

export async function rowsOf(
  connection: Connection,
  tables: Tables,
  statement: Statement,
  timeoutMs: number | null,
): Promise<Row[]> {
  return (await execute(connection, statement(tables), timeoutMs)) as Row[];
}

export async function headerOf(
  connection: Connection,
  tables: Tables,
  statement: Statement,
  timeoutMs: number | null,
): Promise<Header> {
  return (await execute(connection, statement(tables), timeoutMs)) as Header;
}

/** Whether autocommit was looked at too, by connections whose text is right. */
const usable = new WeakMap<Connection, boolean>();
const sample = "\u{1F600}";

/**
 * Refuses, once per connection, one that would change text on its way, or whose session settings our statements cannot work
 * with. Throws an `Error` of one line. Autocommit matters where each of our statements is meant to commit itself, not in a
 * caller's transaction.
 */
export async function assertUsable(connection: Connection, { autocommit }: { autocommit: boolean }): Promise<void> {
  const known = usable.get(connection);
  if (known || (known === false && !autocommit)) return;
  const [row] = (await execute(connection, probe(sample))) as Row[];
  if (text(row!.sent) !== sample || row!.received !== sample) {
    throw new UnusableDatabase("whodid needs connections whose charset is utf8mb4; this pool's is another.");
  }
  if (autocommit && Number(row!.autocommit) !== 1) {
    throw new UnusableDatabase("whodid needs a pool whose connections have autocommit on; this one's have it off.");
  }
  const needed = text(row!.needed);
  if (needed !== "") throw new UnusableDatabase(`whodid needs connections with ${needed}; this one is set otherwise.`);
  usable.set(connection, autocommit);
}
