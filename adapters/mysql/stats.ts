import type { BacklogRow } from "../../lib/storage/consumers.ts";

/** Counts of a MySQL storage since it was created, and its current load. */
export interface MysqlStats {
  contacts: BatchStats;
  events: BatchStats;
  /**
   * The number of retries by their reason. A reason is the number of the server's error, or else the error code of the driver or
   * the system. It is `held` if another transaction had locked a row that was to be written.
   */
  retries: Record<string, number>;
  pool: PoolStats;
  /** Changes that this storage has moved into the log. */
  loggedChanges: number;
}

/** The changes that are not in the log yet, of all processes. */
export interface OutboxStats {
  /** The number of these changes, counted in the first million transactions. */
  changes: number;
  /** The time in milliseconds since the oldest change was written; 0 if there is no change. */
  oldestAgeMs: number;
}

/** The changes that wait for the consumers of one subscription. */
export interface BacklogStats extends BacklogRow {
  workspace: string;
  key: string;
}

/** Counts of the writes of one kind, which are batched into transactions. */
export interface BatchStats {
  /** Committed transactions. */
  batches: number;
  /** Items that these transactions have written. */
  items: number;
  /** Items that wait for their results now. */
  queuedItems: number;
  queuedBytes: number;
}

/** The connections of one pool. */
export interface PoolStats {
  /** Open sockets to the database. 0 if the storage was given a pool: its owner can count them. */
  open: number;
  /** Connections that this storage is using. */
  inUse: number;
  /** Calls that wait for a connection. */
  waiting: number;
}
