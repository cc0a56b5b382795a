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
 * Executes a statement on a connection of the pool. The server gets a slightly shorter time limit, so that it answers before
 * the connection is destroyed. A `timeoutMs` of `null` sets no limit. `isWrite` marks the writes of a transaction, which Galera
 * then refuses if the transaction has ended. `cast` returns the value of each field.
 */
export function execute(
  connection: Connection,
  query: Query,
  timeoutMs: number | null = null,
  { isWrite = false, cast }: { isWrite?: boolean; cast?: Cast } = {},
): Promise<Row[] | Header> {
  const limits = {
    limitMs: timeoutMs === null ? null : timeoutMs - serverHeadStartMs,
    sessionLimitMs: sessionLimits.get(connection) ?? null,
    isRefusedInAutocommit: isWrite && galera.has(connection),
  };
  return sendPrepared(connection, textOf(query, limits), query.values, query.isVariable, cast);
}

type Cast = (field: unknown, next: () => unknown) => unknown;

/** Options of one statement that override those of the pool. */
function optionsOf({ config }: Connection, sql: string) {
  return {
    sql,
    namedPlaceholders: false,
    rowsAsArray: false,
    nestTables: false as const,
    // Only a function overrides a `typeCast` function of the pool. For other pools, `true` saves a call per field.
    typeCast: typeof config.typeCast === "function" ? castPlainly : true,
    supportBigNumbers: false,
    bigNumberStrings: false,
    dateStrings: false,
  };
}

/**
 * Sends a statement and its values. The values are never sent by `query`. With `isVariable` the prepared statement is closed
 * afterwards.
 */
export function sendPrepared(
  connection: Connection,
  sql: string,
  values: readonly (string | number | null)[],
  isVariable = false,
  cast?: Cast,
): Promise<Row[] | Header> {
  const options = { ...optionsOf(connection, sql), ...(cast && { typeCast: cast }), values: [...values] };
  return new Promise((resolve, reject) => {
    connection.execute(options, (error, result) => {
      if (isVariable) unprepare(connection, options);
      if (error) reject(error);
      else resolve(result as unknown as Row[] | Header);
    });
  });
}

/** The connections, and executors of callers, to members of a Galera cluster. */
const galera = new WeakSet<object>();

export function noteGalera(connection: object): void {
  galera.add(connection);
}

/** Whether the connection, or the executor, leads to a node of a Galera cluster. */
export function isGalera(connection: object): boolean {
  return galera.has(connection);
}

/** The connections that send compound statements: never to Galera, which can end a transaction amid such a statement and go on. */
const compound = new WeakSet<object>();

export function noteCompound(connection: object): void {
  compound.add(connection);
}

export function takesCompound(connection: object): boolean {
  return compound.has(connection);
}

/**
 * Waits until the connection's node of a Galera cluster has all earlier commits of all nodes. Galera waits before a read, but
 * not inside a transaction.
 */
export async function catchUp(connection: Connection): Promise<void> {
  await command(connection, control.waitBeforeReads);
  try {
    await sendText(connection, control.readNothing);
  } finally {
    await command(connection, control.restoreWait).catch(() => connection.destroy());
  }
}

/** The time limit for each statement of a connection of our own, as set in its session. */
const sessionLimits = new WeakMap<Connection, number>();

/** Sets the time limit of a connection of our own, so that statements with this timeout need not repeat it. */
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
    // Throws if the connection was closed in the meantime, which also closed the statement.
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
 * Sends a fixed command without values as text, because MySQL cannot prepare all of them. Resolves with whether a transaction
 * is open afterwards, by the server's status.
 */
export async function command(connection: Connection, sql: Control): Promise<boolean> {
  const { serverStatus } = (await sendText(connection, sql)) as Header;
  return isInTransaction(serverStatus);
}

/** Sends a text without values. If it contains several statements, resolves with an array of their results. */
export function sendText(connection: Connection, sql: string): Promise<Row[] | Header> {
  return new Promise((resolve, reject) => {
    connection.query(optionsOf(connection, sql), (error, result) => {
      if (error) reject(error);
      else resolve(result as unknown as Row[] | Header);
    });
  });
}

/** Settles like the work. After `ms` destroys the connection and throws `Expired`. */
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
