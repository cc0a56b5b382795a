import { TrackerError } from "../../../lib/errors.ts";

/**
 * What a failed try means. `begin_again`: nothing was written, and another try may succeed; `duplicate` is that too, because
 * something taken to be absent is there. `unknown`: the transaction may have been committed. `given_up`: another try would
 * not help.
 */
export type Fault = "duplicate" | "begin_again" | "unknown" | "given_up";

/** Thrown when the pool, its connections or the URL are not what the storage can work with. */
export class UnusableDatabase extends Error {
  readonly code = "unusable_database";
}

/** Thrown while another transaction holds what is to be written, or when what was read no longer stands. */
export class BeginAgain extends Error {
  readonly code = "held";
}

/** Thrown when a connection did not answer in time and was destroyed. */
export class Expired extends Error {
  readonly code = "expired";
}

/** Thrown when nobody can say whether COMMIT took effect. */
export class UnknownOutcome extends Error {}

/** Wraps an error after which the connection's state is not known. */
export class Unclean extends Error {}

/** Thrown when a statement was answered outside of the transaction that it was meant for. */
export class TransactionEnded extends Error {}

const duplicateEntry = 1062;
/** Deadlock, or Galera's commit conflict; lock wait timeout; the row changed since the snapshot; Group Replication's conflict. */
const conflicts = new Set([1213, 1205, 1020, 3101]);
/** Read-only, which a primary becomes in a planned failover; not in Galera's primary component. */
const refusedWrites = new Set([1290, 1836, 1047]);
/** Group Replication says so of an aborted transaction. Of a COMMIT they leave the outcome unknown. */
const failedStatements = new Set([1180, 1030]);
const lockWaitTimeout = 1205;
/** The session ended on the server: shutdown, KILL, idle too long. */
const endedSessions = new Set([1053, 1927, 4031]);
const noMoreStatements = 1461;
/** Too many connections, no room, out of memory, interrupted, a read-only transaction. */
const unavailable = new Set([1040, 1203, 1226, 1021, 1026, 1037, 1041, 1114, 1317, 1969, 3024, 1792]);
const noSuchTable = 1146;
const unsafeBinaryLog = 1665;
const unknownSavepoint = 1305;

/** Tells what the error means for the next try. */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnknownOutcome) return "unknown";
  if (error instanceof BeginAgain || isKnownFailure(error) || isFailedStatement(error)) return "begin_again";
  // Before COMMIT was sent the server rolls back what a lost connection wrote.
  if (isLostConnection(error) && !(error instanceof Expired)) return "begin_again";
  return isDuplicate(error) ? "duplicate" : "given_up";
}

/** Whether it may be the fault of one of the items that were written together, so that the others could be written without it. */
export function mayBeOneItems(error: unknown): boolean {
  if (conflicts.has(numberOf(error)) || isDuplicate(error)) return true;
  const answered = translate(error);
  return (
    faultOf(error) === "given_up" && !(answered instanceof TrackerError && answered.code === "storage_unavailable")
  );
}

/** Whether a unique key refused a row. */
export function isDuplicate(error: unknown): boolean {
  return numberOf(error) === duplicateEntry;
}

/** Nothing was written, whichever statement says so, COMMIT too. */
export function isKnownFailure(error: unknown): boolean {
  return conflicts.has(numberOf(error)) || isRefusedWrite(error);
}

/** Whether the server takes no writes any more: a new connection may lead to one that does. */
export function isRefusedWrite(error: unknown): boolean {
  return refusedWrites.has(numberOf(error));
}

function isFailedStatement(error: unknown): boolean {
  return failedStatements.has(numberOf(error));
}

/** Whether a statement says that the transaction around it has ended, or cannot be relied on. */
export function endsTransaction(error: unknown): boolean {
  const number = numberOf(error);
  // Then only the statement was rolled back, unless `innodb_rollback_on_timeout` says otherwise.
  if (number === lockWaitTimeout) return false;
  if (error instanceof TransactionEnded || number === unknownSavepoint) return true;
  return isKnownFailure(error) || isFailedStatement(error) || isLostConnection(error);
}

/** Whether the connection is of no more use. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof Expired) return true;
  const { fatal, code } = error as { fatal?: unknown; code?: unknown };
  if (fatal === true || endedSessions.has(numberOf(error))) return true;
  return typeof code === "string" && /^(?:PROTOCOL_|E(?:CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|NOTFOUND))/.test(code);
}

/** Whether the server keeps as many prepared statements as it is allowed to. */
export function isNoMoreStatements(error: unknown): boolean {
  return numberOf(error) === noMoreStatements;
}

/** What callers get to see instead of a driver's error, which holds SQL and values; any other error as it is. */
export function translate(error: unknown): unknown {
  if (error instanceof TrackerError) return error;
  const transient = error instanceof BeginAgain || error instanceof UnknownOutcome || isLostConnection(error);
  const number = numberOf(error);
  const failed = isKnownFailure(error) || isFailedStatement(error) || isDuplicate(error);
  if (transient || failed || isNoMoreStatements(error) || unavailable.has(number)) {
    return new TrackerError("storage_unavailable", causeOf(error));
  }
  if (number === 0) return error;
  return new TrackerError("internal", { message: messageOf(number), ...causeOf(error) });
}

function messageOf(number: number): string {
  if (number === noSuchTable) return "A table is missing: call the storage's migrate().";
  if (number === unsafeBinaryLog) return "whodid needs binlog_format = ROW; this server's is STATEMENT.";
  return "The database refused a statement.";
}

/** A refusal that no error of the database's led to; the reason, a word of ours, is its cause's `code`. */
export function unavailableBecause(
  code: "closed" | "expired" | "queue_full" | "look_ups_full" | "no_connection",
): TrackerError {
  return new TrackerError("storage_unavailable", causeOf({ code }));
}

/** The driver's `code`, `errno` and `sqlState`, which hold no values. */
export function causeOf(error: unknown): { cause?: Error } {
  const origin = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, errno, sqlState } = origin as { code?: unknown; errno?: unknown; sqlState?: unknown };
  if (code === undefined && errno === undefined) return {};
  return { cause: Object.assign(new Error(String(code ?? errno)), { code, errno, sqlState }) };
}

/** The number of the server's error, else the driver's or the system's code, or a word of ours. */
export function nameOf(error: unknown): string {
  const { cause } = causeOf(error) as { cause?: { code?: string; errno?: number } };
  const { code = "unknown", errno = 0 } = cause ?? {};
  return errno > 0 ? String(errno) : code;
}

/** The number of the server's error; 0 for any other error. */
export function numberOf(error: unknown): number {
  const { errno } = error as { errno?: unknown };
  return typeof errno === "number" ? errno : 0;
}
