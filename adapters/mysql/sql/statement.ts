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

/**
 * The text to send for a statement. The server ends the statement after `limitMs`; `null` for no limit. `sessionLimitMs` is
 * the limit that the session has already. If both are equal, the text has no limit for MariaDB, which saves a tenth of a
 * single call. MariaDB reads the second comment; MySQL reads the optimizer hint, which exists only for SELECT.
 */
export function textOf({ name, sql }: Query, limitMs: number | null, sessionLimitMs: number | null): string {
  const comment = `/* whodid:${name} */`;
  const hinted = limitMs === null ? sql : sql.replace(/^SELECT\b/, `SELECT /*+ MAX_EXECUTION_TIME(${limitMs}) */`);
  if (limitMs === sessionLimitMs) return `${comment} ${hinted}`;
  return `${comment} /*M! SET STATEMENT max_statement_time=${(limitMs ?? 0) / 1_000} FOR */ ${hinted}`;
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
  shortenLockWait: "SET @whodid_lock_wait = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1",
  restoreLockWait: "SET SESSION innodb_lock_wait_timeout = @whodid_lock_wait",
  // What each transaction on a given pool's connection states for itself, once for a connection of our own.
  ownReadCommitted: "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
} as const;

/**
 * Begins each call in a caller's transaction. Lowers the lock wait timeout to 5 s; the caller's own is restored afterwards.
 * Reads a row for two reasons. On Group Replication a SAVEPOINT hides that the transaction was aborted, and a read does not.
 * With autocommit off the read begins the transaction, which the server's status then shows. No other statement writes this
 * row, because SERIALIZABLE locks every row that it reads.
 */
export const enterCall = ({ migrations }: Tables): `/* whodid:enterCall */ SET ${string}` =>
  `/* whodid:enterCall */ SET @whodid_read = (SELECT number FROM ${migrations} WHERE number = 1), @whodid_lock_wait = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = CAST(LEAST(@@SESSION.innodb_lock_wait_timeout, 5) AS UNSIGNED)`;

/** The lock wait of a connection of our own, and on MariaDB its limit for each statement. */
export const ownLimits = (
  statementLimitMs: number,
): `SET SESSION innodb_lock_wait_timeout = 1 /*M!, SESSION max_statement_time = ${number} */` =>
  `SET SESSION innodb_lock_wait_timeout = 1 /*M!, SESSION max_statement_time = ${statementLimitMs / 1_000} */`;

export type Control =
  (typeof control)[keyof typeof control] | ReturnType<typeof enterCall> | ReturnType<typeof ownLimits>;

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
  IF(@@log_bin AND @@sql_log_bin AND @@binlog_format = 'STATEMENT', 'binlog_format = ROW', NULL) */) AS needed
LIMIT 1`,
  values: [text, text],
});

export function hexOf(id: string): string {
  return id.replaceAll("-", "");
}
