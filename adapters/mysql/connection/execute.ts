import type { Connection, QueryOptions } from "mysql2";
import { serverHeadStartMs } from "../limits.ts";
import { Expired } from "./errors.ts";
import {
  control,
  ownLimits,
  textOf,
  type Row,
  type Control,
  type Query,
  type Statement,
  type Tables,
} from "../sql/index.ts";

/** The result of a statement that returns no rows. */
export interface Header {
  affectedRows: number;
  insertId: number;
  serverStatus: number;
}

/**
 * Executes a statement on a connection of the pool. The server gets a time limit that is a little shorter, so that it answers
 * before the connection is given up. `null` sets no limit. `isWrite` is for the writes of a transaction: on Galera they are
 * refused if the transaction has ended.
 */
export function execute(
  connection: Connection,
  query: Query,
  timeoutMs: number | null = null,
  { isWrite = false }: { isWrite?: boolean } = {},
): Promise<Row[] | Header> {
  const limits = {
    limitMs: serverLimitMs(timeoutMs),
    sessionLimitMs: sessionLimits.get(connection) ?? null,
    isRefusedInAutocommit: isWrite && galera.has(connection),
  };
  return sendPrepared(connection, textOf(query, limits), query.values, query.isVariable);
}

/**
 * Sends a statement and its values with options of its own, so that none of the pool's counts. Values never travel by `query`.
 * With `isVariable` the prepared statement is closed afterwards.
 */
export function sendPrepared(
  connection: Connection,
  sql: string,
  values: readonly (string | number | null)[],
  isVariable = false,
): Promise<Row[] | Header> {
  const options = {
    sql,
    values: [...values],
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
      if (isVariable) unprepare(connection, options);
      if (error) reject(error);
      else resolve(result as unknown as Row[] | Header);
    });
  });
}

/** The connections to members of a Galera cluster. */
const galera = new WeakSet<Connection>();

export function noteGalera(connection: Connection): void {
  galera.add(connection);
}

/** Whether the connection leads to a node of a Galera cluster. */
export function isGalera(connection: Connection): boolean {
  return galera.has(connection);
}

/**
 * Waits until the connection's node of a Galera cluster has all that was committed before on any node. Galera waits for that
 * before a read, and not inside a transaction.
 */
export async function catchUp(connection: Connection): Promise<void> {
  await command(connection, control.waitBeforeReads);
  try {
    await sendText(connection, control.readNothing);
  } finally {
    await command(connection, control.restoreWait).catch(() => connection.destroy());
  }
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

/** Whether a transaction is open, by the flag SERVER_STATUS_IN_TRANS of the server's status. */
export function isInTransaction(serverStatus: number): boolean {
  return (serverStatus & 1) !== 0;
}

/**
 * Sends one of the fixed commands, which hold no values and of which MySQL cannot prepare all. Resolves with whether a
 * transaction is open after it, as the server says.
 */
export async function command(connection: Connection, sql: Control): Promise<boolean> {
  const { serverStatus } = (await sendText(connection, sql)) as Header;
  return isInTransaction(serverStatus);
}

/** Sends a text without values. */
export function sendText(connection: Connection, sql: string): Promise<Row[] | Header> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, rowsAsArray: false, namedPlaceholders: false }, (error, result) => {
      if (error) reject(error);
      else resolve(result as unknown as Row[] | Header);
    });
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
