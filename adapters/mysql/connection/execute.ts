import type { Connection, QueryOptions, ResultSetHeader } from "mysql2";
import { serverHeadStartMs } from "../limits.ts";
import { Expired } from "./errors.ts";
import { ownLimits, textOf, type Row, type Control, type Query, type Statement, type Tables } from "../sql/index.ts";

/** The result of a statement that returns no rows. */
interface Header {
  affectedRows: number;
  insertId: number;
}

/**
 * Executes a statement with options of its own, so that none of the pool's counts. Values never travel by `query`. The
 * server is told how long the statement may take, a little less, so that it answers before the connection is given up;
 * `null`: as long as it likes.
 */
export function execute(
  connection: Connection,
  query: Query,
  timeoutMs: number | null = null,
): Promise<Row[] | Header> {
  const options = {
    sql: textOf(query, serverLimitMs(timeoutMs), sessionLimits.get(connection) ?? null),
    values: [...query.values],
    namedPlaceholders: false,
    rowsAsArray: false,
    nestTables: false as const,
    // Only a function overrides a `typeCast` function of the pool. It costs a call per field, so it is used only then.
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

function serverLimitMs(timeoutMs: number | null): number | null {
  return timeoutMs === null ? null : timeoutMs - serverHeadStartMs;
}

/** The limit for each statement that a connection of our own has as a session setting. */
const sessionLimits = new WeakMap<Connection, number>();

/** Sets the limits of a connection of our own, once: statements with this timeout need not repeat it. */
export async function setOwnLimits(connection: Connection, timeoutMs: number): Promise<void> {
  const limitMs = timeoutMs - serverHeadStartMs;
  await command(connection, ownLimits(limitMs));
  sessionLimits.set(connection, limitMs);
}

function unprepare(connection: Connection, options: QueryOptions): void {
  try {
    // mysql2 finds the statement by its text and options, but its types allow only the text.
    connection.unprepare(options as unknown as string);
  } catch {
    // Throws if the connection was closed meanwhile; the statement is closed with it.
  }
}

function castPlainly(_field: unknown, next: () => unknown): unknown {
  return next();
}

/** Executes a query and resolves with its rows. */
export async function rowsOf(
  connection: Connection,
  tables: Tables,
  statement: Statement,
  timeoutMs: number | null,
): Promise<Row[]> {
  return (await execute(connection, statement(tables), timeoutMs)) as Row[];
}

/** Executes a statement that is not a query. */
export async function headerOf(
  connection: Connection,
  tables: Tables,
  statement: Statement,
  timeoutMs: number | null,
): Promise<Header> {
  return (await execute(connection, statement(tables), timeoutMs)) as Header;
}

/** The flag SERVER_STATUS_IN_TRANS of the server's status. */
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
