// In every storage a write waits for a locked contact for `lockedContactWaitMs` of `lib/model/limits.ts`.

/** How long a call waits for a connection of the pool before it rejects with `storage_unavailable`. */
export const connectionWaitMs = 5_000;

/** The pauses before a connection that was lost in its handshake is tried again. They double. */
export const handshakePauseMs = 50;
export const handshakePauseMaxMs = 500;

/**
 * How long one of several hosts has to answer a new connection, unless the URL has a `connectTimeout`. The third host is still
 * reached within `connectionWaitMs`.
 */
export const hostAnswerMs = 2_000;

/** How long a call on one of several hosts waits for an answer before a new connection tests the host. */
export const silentCallMs = 2_000;

/** The time limits of the statements of a transaction together, and of its COMMIT. A transaction takes at most 10 s. */
export const statementsMs = 5_000;
export const commitMs = 5_000;

/**
 * A write is refused if the database's clock has moved on by more than `longestCallMs`, or back by more than `clockBackMs`, since
 * the call read the marks of deleted workspaces. From this read to its COMMIT a call takes at most `longestCallMs`. A clock is
 * sometimes set back a little.
 */
export const longestCallMs = 15_000;
export const clockBackMs = 1_000;

/**
 * A row that was last written so long ago is durable. Our transactions take at most 10 s, and clocks differ by less than the
 * rest. A row of a caller's transaction that was open for longer may not be durable yet.
 */
export const settledMs = 300_000;

/** The size of one transaction: large, so that the cost per item is low; small, so that no item waits long for others. */
export const batchItemsMax = 500;
export const batchMaxBytes: number = 1_024 * 1_024;

/** The size of the values in one text of several statements. The server needs more time than a round trip to read longer texts. */
export const severalMaxBytes: number = 8 * 1_024;

/** The number of new events in one text of several statements. For more, a few prepared statements take the database less time. */
export const severalEventsMax = 4;

/**
 * The number of transactions of one kind that run at once. While this process reads the results of one, the database works
 * on the other.
 */
export const batchesAtOnceMax = 2;

/**
 * The largest number of connections that wait at once for a row that another transaction has locked. The pool of a URL keeps
 * some connections for all other calls: see `group-commit/flush.ts`.
 */
export const lockWaitsMax = 2;

/** The largest queue; further writes are refused. It holds some seconds of work, in memory that a small process has. */
export const queueItemsMax = 10_000;
export const queueMaxBytes: number = 64 * 1_024 * 1_024;

/** The largest share of the queue for writes that wait for room, so that an import does not block other calls. */
export const roomWaitShare = 0.5;

/** The largest number of cached API keys, and of cached lists of definitions. A flood of keys cannot fill the memory. */
export const cachedKeysMax = 10_000;

/** The number of cached unknown API keys. A client that retries one of them causes no further query. */
export const unknownKeysMax = 1_000;

/** The number of keys in one look-up. */
export const lookUpKeysMax = 500;

/** How long API keys and definitions are cached. */
export const cacheSecondsDefault = 5;

/** How long the counts of a past day or week are kept, and how many of them: about 2 MB. */
export const activityKeptMs = 60_000;
export const activityKeptMax = 5_000;

/** How long a page or a count of an audience may take: it may have to look at every contact. */
export const audienceTimeoutSecondsDefault = 30;

/** The largest number of hits that a query sorts: about 50 ms of work. With more, a scan in list order soon fills a page. */
export const sortedHitsMax = 20_000;

/** The number of contacts that a page of a query tests one by one: about 100 ms of work. */
export const contactsScannedAtOnce = 50_000;

/** The largest number of contacts whose events are searched for one key. With more, a scan of all events soon fills a page. */
export const rareKeyContactsMax = 10_000;

/**
 * How long subscriptions are cached, whatever `cacheSeconds` is. `subscriptionStartMs` of `lib/model/limits.ts` is larger, so a
 * process knows a new subscription before the subscription starts.
 */
export const subscriptionsCachedMs = 2_000;

/** How long a call in a caller's transaction waits for a connection that reads the subscriptions. */
export const subscriptionsWaitMs = 500;

/** For how long calls in callers' transactions do not wait for a connection, after one of them has waited in vain. */
export const subscriptionsImpatienceMs = 60_000;

/** The size of a pass, unless the changes of one transaction are more: some 20 ms of work, in which no other pass runs. */
export const passChangesMax = 1_000;
export const passMaxBytes: number = 8 * 1_024 * 1_024;

/** The number of changes of deleted contacts that a statement removes. */
export const changesRemovedAtOnce = 2_000;

/** A deletion runs at most this many passes that log something. A longer backlog is left to the workers. */
export const passesPerDeletion = 10;

/** The number of changes that one call of `removeOldChanges` removes. */
export const changesPerRemoval = 2_000;

/** The largest number of rows of the outbox whose changes are counted: about 200 ms of work. */
export const outboxRowsCounted = 1_000_000;

/** The number of rows that a page reads first, before their size is known: as many as a page of the default size has. */
export const rowsReadAtOnce = 100;

/**
 * The bytes after which the database stops reading rows that were expected to fit, as a multiple of the size of the page. Rows are
 * seldom so much larger than those before them.
 */
export const unexpectedTimes = 4;

/** How long one call reads the log, so that no client gives the request up. The reader's next call continues from there. */
export const changesReadMs = 1_000;

/** The number of changes that a statement looks at for a subscription that takes few of them: about 50 ms of work. */
export const changesLookedAt = 50_000;

/** The number of changes that one call of `findWork` looks at for all readers and consumers: about 20 ms of work. */
export const nextChangesLookedAt = 10_000;

/** The number of changes, and of parked contacts, that the count of a backlog looks at: about 20 ms of work each. */
export const backlogLookedAt = 10_000;

/** The largest number of subscriptions in the metrics: about a second of work if all of them are behind. */
export const backlogsRead = 100;

/** The number of waiting contacts whose changes one statement reads. */
export const dueContactsMax = 1_000;

/** The database's own timeout is shorter than ours by this much. If the database gives up first, the connection stays usable. */
export const serverHeadStartMs = 500;

/** How long `close()` waits for the database to end its connections. A database that answers needs one round trip. */
export const socketEndMs = 500;

/** The number of contacts whose locks a step of a first pass holds: for about 20 ms. */
export const contactsBegunAtOnce = 500;

/** The number of contacts that a step of a sweep looks at, for each watch: about 10 ms of work. */
export const contactsSweptAtOnce = 2_000;

/** The number of contacts that one transaction of a sweep evaluates. */
export const contactsEvaluatedAtOnce = 100;

/** The number of memberships of an ended watch that a statement removes. */
export const membershipsRemovedAtOnce = 2_000;

/** The number of waiting look-ups; more are refused. They hold some 50 MB of requests, a tenth of a second's work. */
export const lookUpsQueuedMax = 10_000;
