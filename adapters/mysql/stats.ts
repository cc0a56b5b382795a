/** What a MySQL storage has counted since it was made, and what is under way. */
export interface MysqlStats {
  contacts: BatchStats;
  events: BatchStats;
  /**
   * How often something was tried again, by the number of the server's error; by the driver's or the system's code where it has
   * none; `held` where another transaction held what was to be written.
   */
  retries: Record<string, number>;
  pool: PoolStats;
}

/** The writes of one kind, which share transactions. */
export interface BatchStats {
  /** Transactions that were committed. */
  batches: number;
  /** What these wrote. */
  items: number;
  /** What has been asked for and is not answered. */
  queuedItems: number;
  queuedBytes: number;
}

/** Counts by name. */
export interface Tally {
  add(name: string): void;
  all(): Record<string, number>;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    all: () => Object.fromEntries(counts),
  };
}

/** The connections of one pool. */
export interface PoolStats {
  /** Sockets to the database; 0 of a pool that was given, which its owner counts. */
  open: number;
  /** Connections at work for this storage. */
  lent: number;
  /** Calls that wait for a connection. */
  waiting: number;
}
