/** How long a call waits for a database connection before it answers that there is none. */

export const connectionWaitMs = 5000;

/** How long the statements of a transaction may take, and then its COMMIT: at most 10 s together. */
export const statementsMs = 5000;
export const commitMs = 5000;

/** What one transaction writes: enough for its fixed costs to vanish, and little enough that none waits long for the others. */
export const batchItemsMax = 500;
export const batchMaxBytes: number = 1024 * 1024;

/**
 * How many transactions of a kind are under way at once. While this process reads what one has answered, the database works on
 * another.
 */
export const batchesAtOnceMax = 2;

/** What may be under way at once before more is refused: some seconds' work, and memory that a small process has. */
export const queueItemsMax = 10000;
export const queueMaxBytes: number = 64 * 1024 * 1024;

/** What a storage remembers of API keys and definitions, so that no flood of either fills the memory. */
export const cachedKeysMax = 10000;

/** API keys that nobody has: a client that keeps trying one costs the database nothing. */
export const unknownKeysMax = 1000;

/** How many are looked up at once. */
export const lookUpKeysMax = 500;
