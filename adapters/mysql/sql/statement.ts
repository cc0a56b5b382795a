/** A part of a statement's text, and the values of its placeholders. */
export interface Fragment {
  sql: string;
  values: readonly (string | number | null)[];
}

/** A statement. */
export interface Query extends Fragment {
  /** Stands in a comment before the text, for whoever reads the server's process list or slow log. */
  name: string;
  /**
   * Whether its text differs from call to call. Then the server does not keep it prepared: it keeps so many for all of its
   * clients together (`max_prepared_stmt_count`), and none of them could prepare another.
   */
  isVariable?: true;
}

/**
 * The text that is sent for a statement. The server ends the statement after `limitMs`; `null` sets no limit. `sessionLimitMs` is the
 * limit that the session has already. MariaDB alone reads the second comment, which costs a tenth of a single call, so it is left out
 * if the session has the limit. MySQL reads the hint, and has none for statements other than SELECT.
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

/** What to ask, on whichever tables. Pure. */
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

/** What steers a connection. MySQL does not prepare all of it; it holds no values. */
export const control = {
  readCommitted: "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
  readUncommitted: "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
  begin: "START TRANSACTION",
  // In full, because a session's `completion_type` may end the connection after it.
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
 * What each call in a caller's transaction begins with. Nobody waits longer than 5 s for a contact; the caller's own limit comes
 * back. The row is read because on Group Replication a SAVEPOINT hides that the transaction was aborted, and a read tells; and
 * because without autocommit it begins the transaction, which the answer then shows. It is one that nobody writes: SERIALIZABLE
 * locks what it reads.
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
 * What the connection makes of a text on its way there and back, whether each statement commits itself, and the session settings
 * that our statements need but do not find: some would cut results short or refuse writes; without `unique_checks` a unique key
 * may let duplicates in; by a chained COMMIT of its owner's a connection comes with a transaction that nobody ends. Only MariaDB reads what stands in the comment; MySQL will not have `binlog_format` for ever.
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
