import type { Change } from "./change-types.ts";

/** How often a change that fails is tried, and the pauses between the tries. */
export interface RetryLimits {
  tries: number;
  firstPauseSeconds: number;
  longestPauseSeconds: number;
}

/** The options of `subscriptions.consume`. */
export interface ConsumeOptions {
  /**
   * Whether the handler runs in a transaction of its own, which also stores that the change was handled; `false` by default.
   * - With it, what the handler writes in the transaction is committed once. Each running handler has a connection of the pool, so
   *   keep `concurrency` below half of `connectionLimit`, or below the size of a pool of yours.
   * - Without it, a change is handled again if the process or its lease ends before the storage knows that it was handled.
   */
  transaction?: boolean | undefined;
  /** Resolves when nothing is left to handle now, instead of waiting for more. */
  until?: "caught-up" | undefined;
  /** For how many contacts this process runs handlers at a time: 1 to 64; 1 by default. */
  concurrency?: number | undefined;
  /** After how many seconds other processes take over the changes of a process that has died; 60 by default. */
  leaseSeconds?: number | undefined;
  /** How long a handler may run before its signal is aborted and the change counts as failed, in seconds; 300 by default. */
  handlerTimeoutSeconds?: number | undefined;
  /** How often a change is tried before its contact is parked; 10 by default. */
  tries?: number | undefined;
  /** The pause after the first try in seconds; 5 by default. Each further pause is three times as long. */
  firstPauseSeconds?: number | undefined;
  /** The longest pause in seconds; 3,600 by default. */
  longestPauseSeconds?: number | undefined;
}

/** Consumes a subscription until it is stopped. */
export interface Consumer {
  /**
   * Begins no further handler, waits up to 10 s for running ones, and then aborts their signals. Resolves when the consumer has ended.
   * The next consumer repeats a change whose handler was aborted.
   */
  stop(): Promise<void>;
  /** The numbers since the consumer began. */
  stats(): Consumed;
  /**
   * Resolves when the consumer was stopped. Rejects if it ended by itself, with `changes_expired`. You need not handle this
   * rejection: `onError` of the tracker gets the error too.
   */
  ended: Promise<void>;
}

/** The numbers of one consumer. `subscriptions.consume` with `until` resolves with them. */
export interface Consumed {
  /** The number of changes that the consumer has handled. */
  handled: number;
  /** The number of tries that failed. Contacts whose change failed wait. */
  failed: number;
}

/** The changes of a subscription that wait for its consumers. */
export interface Backlog {
  /** The number of changes. Not counted: changes of parked contacts, and changes still in the outbox. */
  changes: number;
  /** Whether there may be more changes: MySQL looks at the first 10,000 of the log. */
  more: boolean;
  /** The time since the oldest of these changes was logged; 0 if there is none. */
  oldestAgeSeconds: number;
  /** The number of parked contacts. MySQL counts at most 10,000. */
  parked: number;
}

/** A contact whose change failed too often. Its later changes wait until this one is retried or dropped. */
export interface ParkedContact {
  contactId: string;
  changeId: string;
  /** `null` if the change is no longer kept: it can be dropped, and not retried. */
  change: Change | null;
  /** The error of the last try. */
  error: string;
  tries: number;
  /** ISO 8601, by the storage's clock. */
  parkedAt: string;
}
