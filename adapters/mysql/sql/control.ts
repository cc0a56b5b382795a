import type { Query, Tables } from "./statement.ts";

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
  // The `wait_timeout` is `statementsMs` in seconds.
  shortenWaits:
    "SET @whodid_lock_wait = @@SESSION.innodb_lock_wait_timeout, @whodid_wait = @@SESSION.wait_timeout, SESSION innodb_lock_wait_timeout = 1, SESSION wait_timeout = 5",
  restoreWaits: "SET SESSION innodb_lock_wait_timeout = @whodid_lock_wait, SESSION wait_timeout = @whodid_wait",
  waitBeforeReads: "SET @whodid_sync_wait = @@SESSION.wsrep_sync_wait, SESSION wsrep_sync_wait = 1",
  readNothing: "/* whodid:catchUp */ SELECT 1",
  restoreWait: "SET SESSION wsrep_sync_wait = @whodid_sync_wait",
  // A connection of our own gets this once. On a connection of a given pool, each transaction sets it.
  ownReadCommitted: "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
  // The name of the second variable differs: only MariaDB reads the first comment, only MySQL the second.
  forCallers:
    "SET SESSION autocommit = 0 /*M!, SESSION tx_isolation = 'READ-COMMITTED' */ /*!80000 , SESSION transaction_isolation = 'READ-COMMITTED' */",
  ignoreSpace: "SET SESSION sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'IGNORE_SPACE')",
  autocommitOff: "SET SESSION autocommit = 0",
  autocommitOn: "SET SESSION autocommit = 1",
  unlockTables: "UNLOCK TABLES",
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

/** Vitess names itself in `version_comment`. TiDB alone executes a comment that begins with `/*T!`. */
const engine = "@@version_comment AS version_comment, /*T! 1 + */ 0 AS is_tidb";

/** Asks for the engine where the probe fails. */
export const findEngine: string = `/* whodid:findEngine */ SELECT ${engine}`;

export type Control =
  (typeof control)[keyof typeof control] | ReturnType<typeof beginCall> | ReturnType<typeof ownLimits>;

const needed = `CONCAT_WS(' and ',
  IF(@@sql_select_limit < 18446744073709551615, 'sql_select_limit = DEFAULT', NULL),
  IF(@@sql_safe_updates, 'sql_safe_updates = 0', NULL), IF(@@sql_big_selects, NULL, 'sql_big_selects = 1'),
  IF(@@unique_checks, NULL, 'unique_checks = 1'),
  IF(@@completion_type = 'CHAIN', 'completion_type = NO_CHAIN', NULL)
  /*M!, IF(FIND_IN_SET('ORACLE', @@sql_mode), 'sql_mode without ORACLE', NULL),
  IF(FIND_IN_SET('EMPTY_STRING_IS_NULL', @@sql_mode), 'sql_mode without EMPTY_STRING_IS_NULL', NULL),
  IF(@@log_bin AND @@sql_log_bin AND @@binlog_format = 'STATEMENT', 'binlog_format = ROW', NULL) */)`;

/**
 * Checks a connection: its engine, whether a text comes back unchanged, whether autocommit is on, and the session settings that our
 * statements need. Some settings would cut results short or refuse writes. Without `unique_checks` a unique key can accept
 * duplicates. With `completion_type` CHAIN each COMMIT begins a transaction that nobody ends. Only MariaDB reads the
 * comments: later versions of MySQL may remove `binlog_format`, and MySQL has no compound statements.
 */
export const probe = (text: string): Query => ({
  name: "probe",
  sql: `SELECT CAST(? AS BINARY) AS sent, ? AS received, @@autocommit AS autocommit, ${needed} AS needed,
  FIND_IN_SET('NO_BACKSLASH_ESCAPES', @@sql_mode) > 0 AS no_backslash_escapes, /*M! 1 + */ 0 AS takes_compound, ${engine}
LIMIT 1`,
  values: [text, text],
});

/**
 * The state of a given pool's session that our statements rely upon. The names of the last two variables differ: only MariaDB
 * reads the first comment, only MySQL the second.
 */
export const sessionState: string = `/* whodid:sessionState */ SELECT CONCAT_WS(' ', IFNULL(DATABASE(), ''),
  @@character_set_client, @@character_set_results, @@collation_connection, ${needed}
  /*M!, @@tx_isolation, @@tx_read_only */ /*!80000 , @@transaction_isolation, @@transaction_read_only */) AS state`;
