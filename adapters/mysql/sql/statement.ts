import { heldContactWaitMs } from "../../../lib/limits.ts";

/** A part of a statement's text, and the values of its placeholders. */
export interface Fragment {
  sql: string;
  values: readonly (string | number | null)[];
}

/** A statement. */
export interface Query extends Fragment {
  /** Written as a comment before the text. It identifies the statement in the process list and the slow query log. */
  name: string;
  /**
   * Set if the text differs from call to call. The statement is then closed after its use. Otherwise the server would reach
   * `max_prepared_stmt_count`, the limit of all its clients, and none of them could prepare another statement.
   */
  isVariable?: true;
}

/** MariaDB refuses the statement with error 1231 when no transaction is open. */
const refusedInAutocommit = "completion_type=IF(@@in_transaction, @@completion_type, 'NO_TRANSACTION')";

/** How long a statement can take, and where it runs. */
export interface Limits {
  /** The server ends the statement after this time; `null` for no limit. */
  limitMs: number | null;
  /** The limit that the session has already. */
  sessionLimitMs: number | null;
  /**
   * Whether to refuse the statement when no transaction is open. Galera can end a transaction without reporting it, and the
   * rest of its statements would each commit by itself.
   */
  isRefusedInAutocommit: boolean;
}

/**
 * The text to send for a statement. If the session has the limit already, the text has none for MariaDB, which saves a tenth
 * of a single call. MariaDB reads the second comment; MySQL reads the optimizer hint, which exists only for SELECT.
 */
export function textOf({ name, sql }: Query, { limitMs, sessionLimitMs, isRefusedInAutocommit }: Limits): string {
  const comment = `/* whodid:${name} */`;
  const hinted = limitMs === null ? sql : withTimeLimit(sql, limitMs);
  if (limitMs === sessionLimitMs && !isRefusedInAutocommit) return `${comment} ${hinted}`;
  const settings = limitMs === sessionLimitMs ? [] : [`max_statement_time=${(limitMs ?? 0) / 1_000}`];
  if (isRefusedInAutocommit) settings.push(refusedInAutocommit);
  return `${comment} ${forMariadb(settings)} ${hinted}`;
}

/**
 * The text of a statement in a caller's transaction. It waits for a lock as long as the session's setting allows, at most 5 s;
 * on MySQL only a SELECT can be limited so. Writes are refused when no transaction is open, as above.
 */
export function textInside({ name, sql }: Query): string {
  const comment = `/* whodid:${name} */`;
  const lockWait = `innodb_lock_wait_timeout=LEAST(@@innodb_lock_wait_timeout, ${heldContactWaitMs / 1_000})`;
  if (!sql.startsWith("SELECT")) return `${comment} ${forMariadb([lockWait, refusedInAutocommit])} ${sql}`;
  if (!sql.includes("FOR UPDATE")) return `${comment} ${sql}`;
  return `${comment} ${forMariadb([lockWait])} ${withTimeLimit(sql, heldContactWaitMs)}`;
}

function withTimeLimit(sql: string, limitMs: number): string {
  return sql.replace(/^SELECT\b/, `SELECT /*+ MAX_EXECUTION_TIME(${limitMs}) */`);
}

function forMariadb(settings: readonly string[]): string {
  return `/*M! SET STATEMENT ${settings.join(", ")} FOR */`;
}

/** The names of the tables, which all begin with the prefix. */
export interface Tables {
  contacts: string;
  events: string;
  summaries: string;
  completions: string;
  definitions: string;
  apiKeys: string;
  apiKeyUses: string;
  migrations: string;
}

/** Makes a query for the given table names. A pure function. */
export type Statement = (tables: Tables) => Query;

export function tablesOf(prefix: string): Tables {
  return {
    contacts: `${prefix}contacts`,
    events: `${prefix}events`,
    summaries: `${prefix}summaries`,
    completions: `${prefix}completions`,
    definitions: `${prefix}definitions`,
    apiKeys: `${prefix}api_keys`,
    apiKeyUses: `${prefix}api_key_uses`,
    migrations: `${prefix}migrations`,
  };
}

/** Commands that control transactions and the session. They contain no values. MySQL cannot prepare all of them. */
export const control = {
  readCommitted: "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
  readUncommitted: "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
  begin: "START TRANSACTION",
  // Written in full: the session's `completion_type` could otherwise begin a transaction, or end the connection.
  commit: "COMMIT AND NO CHAIN NO RELEASE",
  commitAndBegin: "COMMIT AND CHAIN NO RELEASE",
  rollback: "ROLLBACK AND NO CHAIN NO RELEASE",
  savepoint: "SAVEPOINT whodid_call",
  rollbackToSavepoint: "ROLLBACK TO SAVEPOINT whodid_call",
  releaseSavepoint: "RELEASE SAVEPOINT whodid_call",
  managedSavepoint: "SAVEPOINT whodid_managed",
  releaseManagedSavepoint: "RELEASE SAVEPOINT whodid_managed",
  shortenLockWait: "SET @whodid_lock_wait = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1",
  restoreLockWait: "SET SESSION innodb_lock_wait_timeout = @whodid_lock_wait",
  // What each transaction on a given pool's connection states for itself, once for a connection of our own.
  ownReadCommitted: "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
  defaultLimits: "SET SESSION innodb_lock_wait_timeout = DEFAULT /*M!, SESSION max_statement_time = DEFAULT */",
} as const;

/**
 * Begins each call in a caller's transaction by reading a row, for two reasons. On Group Replication a SAVEPOINT hides that the
 * transaction was aborted, and a read does not. With autocommit off the read begins the transaction, which the server's status
 * then shows. No other statement writes this row, because SERIALIZABLE locks every row that it reads.
 */
export const beginCall = ({ migrations }: Tables): `/* whodid:beginCall */ SELECT ${string}` =>
  `/* whodid:beginCall */ SELECT number FROM ${migrations} WHERE number = 1`;

/** The lock wait of a connection of our own, and on MariaDB its limit for each statement. */
export const ownLimits = (
  statementLimitMs: number,
): `SET SESSION innodb_lock_wait_timeout = 1 /*M!, SESSION max_statement_time = ${number} */` =>
  `SET SESSION innodb_lock_wait_timeout = 1 /*M!, SESSION max_statement_time = ${statementLimitMs / 1_000} */`;

/** Finds one row on a member of a Galera cluster, and none elsewhere. */
export const findGalera = "SHOW GLOBAL STATUS WHERE Variable_name = 'wsrep_cluster_size' AND Value > 0";

export type Control =
  (typeof control)[keyof typeof control] | ReturnType<typeof beginCall> | ReturnType<typeof ownLimits>;

/**
 * Checks a connection: that a text comes back unchanged, whether autocommit is on, and the session settings that our
 * statements cannot work with. Some settings would cut results short or refuse writes. Without `unique_checks` a unique key
 * can accept duplicates. With a chained COMMIT by its owner, a connection comes with an open transaction that nobody ends.
 * Only MariaDB reads the comment, because later versions of MySQL may remove `binlog_format`.
 */
export const probe = (text: string): Query => ({
  name: "probe",
  sql: `SELECT CAST(? AS BINARY) AS sent, ? AS received, @@autocommit AS autocommit, CONCAT_WS(' and ',
  IF(@@sql_select_limit < 18446744073709551615, 'sql_select_limit = DEFAULT', NULL),
  IF(@@sql_safe_updates, 'sql_safe_updates = 0', NULL), IF(@@sql_big_selects, NULL, 'sql_big_selects = 1'),
  IF(@@unique_checks, NULL, 'unique_checks = 1'),
  IF(@@completion_type = 'CHAIN', 'completion_type = NO_CHAIN', NULL)
  /*M!, IF(FIND_IN_SET('ORACLE', @@sql_mode), 'sql_mode without ORACLE', NULL),
  IF(@@log_bin AND @@sql_log_bin AND @@binlog_format = 'STATEMENT', 'binlog_format = ROW', NULL) */) AS needed,
  FIND_IN_SET('NO_BACKSLASH_ESCAPES', @@sql_mode) > 0 AS no_backslash_escapes
LIMIT 1`,
  values: [text, text],
});

export function hexOf(id: string): string {
  return id.replaceAll("-", "");
}
