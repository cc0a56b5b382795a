import { TrackerError } from "../../../lib/model/errors.ts";

/**
 * The meaning of a failed try. `begin_again`: nothing was written, and a retry may succeed. `duplicate`: the same, because the
 * try did not see a row that exists. `unknown`: the transaction may have been committed. `given_up`: a retry would not help.
 */
export type Fault = "duplicate" | "begin_again" | "unknown" | "given_up";

/** The storage cannot work with the pool, its connections or the URL. */
export class UnusableDatabase extends Error {
  readonly code = "unusable_database";
}

/** Another transaction has locked a row that this one must write, or a row has changed since it was read. */
export class BeginAgain extends Error {
  readonly code: string = "held";
}

/** A node of a Galera cluster did not find a row, and may not have the last commits of other nodes yet. */
export class Behind extends BeginAgain {
  override readonly code = "behind";
}

/** A connection did not answer in time and was destroyed. */
export class Expired extends Error {
  readonly code = "expired";
}

/** The rows of a statement were too large, and its connection was closed. */
export class TooLarge extends Error {}

/** It is unknown whether COMMIT took effect. */
export class UnknownOutcome extends Error {}

/** Wraps an error after which the connection's state is not known. */
export class Unclean extends Error {}

/** A statement ran outside the transaction that it was meant for. */
export class TransactionEnded extends Error {}

type ErrorTest = (error: unknown) => boolean;

function among(numbers: readonly number[]): ErrorTest {
  return (error) => numbers.includes(numberOf(error));
}

/** Whether a unique key refused a row. */
export const isDuplicate: ErrorTest = among([1062]);
/** Whether the guard in a sequence of statements ended it: a NULL for a column that takes none, or a subquery of two rows. */
export const isGuarded: ErrorTest = among([1048, 1242]);
/**
 * Whether a write was refused because the marks of workspaces were read long before, or on a server with another clock. The error
 * says that a number is out of range: see `guardOf` of `sql/workspaces.ts`.
 */
export const isStaleMarks: ErrorTest = among([1690]);
/** Deadlock or Galera's commit conflict; lock wait timeout; row changed since the snapshot; Group Replication's conflict. */
const isConflict = among([1213, 1205, 1020, 3101]);
/**
 * Whether the server accepts no writes, like a primary after a planned failover, or outside Galera's primary component. A new
 * connection may reach a server that accepts them.
 */
export const isRefusedWrite: ErrorTest = among([1290, 1836, 1047]);
/** Group Replication's errors for an aborted transaction. If COMMIT fails with one of them, the outcome is unknown. */
const isFailedStatement = among([1180, 1030]);
/** The binary log cannot be written; a hook of Group Replication failed. The COMMIT may have taken effect on a disk or a member. */
const isFailedCommit = among([1598, 3100]);
/** Whether another transaction kept a row locked for longer than a statement waits for the lock. */
export const isLockWaitTimeout: ErrorTest = among([1205]);
/** The session ended on the server: shutdown, KILL, idle too long. */
const isEndedSession = among([1053, 1927, 4031]);
/** Whether the server has reached `max_prepared_stmt_count`. */
export const isNoMoreStatements: ErrorTest = among([1461]);
/**
 * Too many connections or transactions, disk full, out of memory, interrupted, read-only transaction. Errors 1034 and 1194 concern
 * a temporary table of the statement that a full disk has cut off. InnoDB's tables cannot cause them.
 */
const isUnavailable = among([
  1040, 1203, 1226, 1637, 1021, 1026, 1034, 1037, 1041, 1114, 1194, 1878, 1317, 1969, 3024, 1792,
]);
/** Lower numbers are errors of the server's files and tables. MariaDB sorting on a full disk fails with 3 or 126. */
const firstOfSql = 1000;
/** The error numbers of client libraries. A proxy that has lost its own connection to the server answers with one of them. */
const ofClients = { from: 2000, to: 2999 };
const noSuchTable = 1146;
/** A wrong password; no password for an account that has one, as MariaDB may say. */
const refusedLogins = new Set([1045, 1698]);
/** There is no database of this name, or none that this user may know of. */
const closedDatabases = new Set([1044, 1049]);
const lackingRight = 1142;
const unsafeBinaryLog = 1665;
const cannotBePrepared = 1295;
/** Whether the savepoint does not exist: no transaction is open, or it has ended since the savepoint was set. */
export const isUnknownSavepoint: ErrorTest = among([1305]);
/** Whether a write was refused because its transaction is read-only. */
export const isReadOnlyTransaction: ErrorTest = among([1792]);
/** The server refused a write because no transaction was open: see `textOf` of `sql/statement.ts`. */
const isOutsideTransaction = among([1231]);

/** Classifies the error for the next try. */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnknownOutcome) return "unknown";
  if (error instanceof BeginAgain || isEndedTransaction(error)) return "begin_again";
  // An error of a guard arrives here only if the ROLLBACK after it failed.
  if (isKnownFailure(error) || isFailedStatement(error) || isGuarded(error) || isStaleMarks(error))
    return "begin_again";
  // The server rolls back the writes of a lost connection if no COMMIT was sent.
  if (isLostConnection(error) && !(error instanceof Expired)) return "begin_again";
  return isDuplicate(error) ? "duplicate" : "given_up";
}

/** Whether a single item of the batch may have caused the error, so that the other items could be written without it. */
export function mayBeOneItems(error: unknown): boolean {
  if (isConflict(error) || isDuplicate(error)) return true;
  const answered = translate(error);
  return (
    faultOf(error) === "given_up" && !(answered instanceof TrackerError && answered.code === "storage_unavailable")
  );
}

/** Whether the error means that nothing was written, even if COMMIT failed with it. */
export function isKnownFailure(error: unknown): boolean {
  return isConflict(error) || isRefusedWrite(error);
}

/** Whether a sequence certainly failed before the COMMIT in it. An interruption can follow the COMMIT. */
export function isBeforeCommit(error: unknown): boolean {
  const number = numberOf(error);
  const isOfProxy = number >= ofClients.from && number <= ofClients.to;
  const isOfCommit = isOfProxy || isUnavailable(error) || isFailedCommit(error) || isFailedStatement(error);
  return isKnownFailure(error) || (number >= firstOfSql && !isOfCommit && !isLostConnection(error));
}

function isEndedTransaction(error: unknown): boolean {
  return error instanceof TransactionEnded || isOutsideTransaction(error);
}

/** Whether the error means that the transaction has ended, or may have lost writes. */
export function endsTransaction(error: unknown): boolean {
  // A lock wait timeout rolls back only the statement, unless `innodb_rollback_on_timeout` is on.
  if (isLockWaitTimeout(error)) return false;
  if (isEndedTransaction(error) || isUnknownSavepoint(error)) return true;
  return isKnownFailure(error) || isFailedStatement(error) || isLostConnection(error);
}

/** Whether the connection can no longer be used. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof Expired) return true;
  const { fatal, code } = Object(error) as { fatal?: unknown; code?: unknown };
  if (fatal === true || isEndedSession(error)) return true;
  return typeof code === "string" && /^(?:PROTOCOL_|E(?:CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|NOTFOUND))/.test(code);
}

/** Whether a new connection was accepted and then lost, before the server had answered the log-in. */
export function isLostInHandshake(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  // mysql2 replaces the codes of TLS. Node sets `localAddress` if the connection was closed, and the system's number if it broke.
  if (code === "HANDSHAKE_SSL_ERROR") return numberOf(error) < 0 || "localAddress" in (error as object);
  return code === "PROTOCOL_CONNECTION_LOST" || code === "ECONNRESET" || code === "EPIPE";
}

/** Replaces a driver's error, which contains SQL and values, by a `TrackerError`. Returns any other error unchanged. */
export function translate(error: unknown): unknown {
  if (error instanceof TrackerError) return error;
  const transient =
    error instanceof BeginAgain ||
    error instanceof UnknownOutcome ||
    isEndedTransaction(error) ||
    isLostConnection(error);
  const number = numberOf(error);
  const isOfFiles = number > 0 && number < firstOfSql;
  const failed = isKnownFailure(error) || isFailedStatement(error) || isDuplicate(error) || isStaleMarks(error);
  if (transient || failed || isNoMoreStatements(error) || isUnavailable(error) || isOfFiles) {
    return new TrackerError("storage_unavailable", causeOf(error));
  }
  if (number === 0) return error;
  return new TrackerError("internal", { message: messageOf(number), ...causeOf(error) });
}

function messageOf(number: number): string {
  if (number === noSuchTable) return "A table is missing: call the storage's migrate().";
  if (refusedLogins.has(number)) return "The database refuses the user or the password.";
  if (closedDatabases.has(number)) return "There is no such database, or the user may not open it.";
  if (number === lackingRight)
    return "The user lacks a right: migrate() needs CREATE, ALTER and REFERENCES, for views CREATE VIEW and DROP too, all else SELECT, INSERT, UPDATE and DELETE.";
  if (number === unsafeBinaryLog) return "whodid needs binlog_format = ROW; this server's is STATEMENT.";
  if (number === cannotBePrepared) return "whodid needs an `execute` that sends statements without values as text.";
  return "The database refused a statement.";
}

/** The error `storage_unavailable` without an error of the database. The reason is the `code` of its `cause`. */
export function unavailableBecause(
  code: "closed" | "expired" | "queue_full" | "look_ups_full" | "no_connection" | "unknown_outcome",
): TrackerError {
  return new TrackerError("storage_unavailable", causeOf({ code }));
}

/** Whether the pool had no connection in `connectionWaitMs`. */
export function isNoConnection(error: unknown): boolean {
  return error instanceof TrackerError && (error.cause as { code?: unknown } | undefined)?.code === "no_connection";
}

/** An error with only the driver's `code`, `errno` and `sqlState`, which contain no values. */
export function causeOf(error: unknown): { cause?: Error } {
  const origin = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, errno, sqlState } = Object(origin) as { code?: unknown; errno?: unknown; sqlState?: unknown };
  if (code === undefined && errno === undefined) return {};
  return { cause: Object.assign(new Error(String(code ?? errno)), { code, errno, sqlState }) };
}

/** The number of the server's error, or else the error code of the driver, the system or this adapter. */
export function nameOf(error: unknown): string {
  const { cause } = causeOf(error) as { cause?: { code?: string; errno?: number } };
  const { code = "unknown", errno = 0 } = cause ?? {};
  return errno > 0 ? String(errno) : code;
}

/** The number of the server's error; 0 for any other error. */
export function numberOf(error: unknown): number {
  const { errno } = Object(error) as { errno?: unknown };
  return typeof errno === "number" ? errno : 0;
}
