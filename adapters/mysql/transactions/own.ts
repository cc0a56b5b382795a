import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mysql2";
import { heldContactWaitMs } from "../../../lib/limits.ts";
import { commitMs, statementsMs } from "../limits.ts";
import { command, headerOf, limitTime, rowsOf } from "../connection/session.ts";
import {
  BeginAgain,
  faultOf,
  isKnownFailure,
  isLostConnection,
  nameOf,
  translate,
  UnknownOutcome,
} from "../connection/errors.ts";
import { Unclean, type Connections, type Lane, type Lent } from "../connection/pool.ts";
import type { Row } from "../sql/rows.ts";
import { createTally } from "../stats.ts";
import { control, type Control, type Statement, type Tables } from "../sql/statement.ts";

/** What a try works with: statements of one transaction, and what earlier tries of the same call have taught. */
export interface Work {
  rows(statement: Statement): Promise<Row[]>;
  /** Resolves with how many rows it found to write. */
  write(statement: Statement): Promise<number>;
  /** Resolves with what the statement gave to LAST_INSERT_ID. */
  insertId(statement: Statement): Promise<number>;
  /**
   * Whether locks are waited for and the transaction's reads may be older than what others have committed: in a caller's
   * transaction. Otherwise held rows are left out, and each statement reads what is committed.
   */
  waits: boolean;
  /** Whether something that was taken to be absent was there. */
  duplicateMet: boolean;
  /** Whether an earlier try may have been committed. */
  uncertain: boolean;
  /** What the look at uncommitted rows has found. */
  uncommitted: readonly Row[];
}

/** An item's answer while another transaction holds what it is to write. */
export const held: unique symbol = Symbol("held");
/** What a step leads to: the result, or the state that the next step begins with. */
export type Step<State, Result> = { next: State } | { result: Result };

/** How calls reach the database: in transactions of their own, or in a caller's. */
export interface Runner {
  /** In a caller's transaction for as long as it takes, else at most so long. */
  read<Result>(work: (work: Work) => Promise<Result>, timeoutMs?: number): Promise<Result>;
  /** Writes the items in one transaction; those answered `held` again, until they are not. Takes copies of them. */
  write<Item, Result>(
    items: readonly Item[],
    once: (work: Work, items: readonly Item[]) => Promise<(Result | typeof held)[]>,
  ): Promise<Result[]>;
  /** Goes on from step to step, each, where that can be, in a transaction of its own, until there is a result. */
  writeInSteps<State, Result>(
    first: State,
    step: (work: Work, state: State) => Promise<Step<State, Result> | typeof held>,
  ): Promise<Result>;
}

/** A runner that begins and ends its transactions itself. */
export interface OwnRunner extends Runner {
  /**
   * One try in one transaction. What `look` asks is read before it, with what open transactions have written. In a lane of its
   * own the COMMIT begins the next transaction, which saves a round trip.
   */
  attempt<Result>(
    retries: Pick<RetryState, "duplicateMet" | "uncertain">,
    work: (work: Work) => Promise<Result>,
    options?: { look?: Statement | null; lane?: Lane | null },
  ): Promise<Result>;
  /** Counts that something is tried again because of the error. */
  retried(error: unknown): void;
  /** How often, by what `nameOf` makes of the errors. */
  retries(): Record<string, number>;
}

export function createRunner(connections: Connections, tables: Tables): OwnRunner {
  const retries = createTally();
  const retried = (error: unknown): void => retries.add(nameOf(error));
  const attempt: OwnRunner["attempt"] = (retries, work, { look = null, lane = null } = {}) =>
    connections.use(
      (lent) =>
        transact(lent, async (begin) => {
          const { connection } = lent;
          const uncommitted = look ? await lookAtUncommitted(connection, tables, look) : [];
          await begin();
          return work(workOn(connection, tables, { ...retries, uncommitted }, statementsMs));
        }),
      // What looks first has no use for a transaction that has begun.
      look ? null : lane,
    );

  return {
    read: (work, timeoutMs = statementsMs) =>
      persist(retried, (retries) =>
        connections.use(({ connection }) =>
          limitTime(connection, timeoutMs, () =>
            work(workOn(connection, tables, { ...retries, uncommitted: [] }, timeoutMs)),
          ),
        ),
      ),
    attempt,
    retried,
    retries: retries.all,
    write<Item, Result>(
      items: readonly Item[],
      once: (work: Work, items: readonly Item[]) => Promise<(Result | typeof held)[]>,
    ) {
      const copies = structuredClone(items);
      const results: Result[] = [];
      let waiting = copies.map((_, index) => index);
      return persist(retried, async (retries) => {
        connections.assertOpen();
        if (waiting.length === 0) return results;
        const chosen = waiting.map((index) => copies[index]!);
        const answers = await attempt(retries, (work) => once(work, chosen));
        waiting = waiting.filter((index, position) => {
          const answer = answers[position]!;
          if (answer !== held) results[index] = answer;
          return answer === held;
        });
        if (waiting.length > 0) throw new BeginAgain();
        return results;
      });
    },
    async writeInSteps(first, step) {
      for (let state = first; ;) {
        const stepped = await persist(retried, async (retries) => {
          const answer = await attempt(retries, (work) => step(work, state));
          if (answer === held) throw new BeginAgain();
          return answer;
        });
        if ("result" in stepped) return stepped.result;
        state = stepped.next;
      }
    },
  };
}

/** What the tries of one call have taught so far. */
export interface RetryState {
  duplicateMet: boolean;
  uncertain: boolean;
  /** When to stop trying, on the clock of `performance`. */
  until: number;
  /** How long to pause before the next try. */
  pauseMs: number;
}

export function startRetries(): RetryState {
  return { duplicateMet: false, uncertain: false, until: performance.now() + heldContactWaitMs, pauseMs: 5 };
}

/** Takes the lesson of a failed try. Throws what to answer if another would not help, or it is too late for one. */
export function prepareRetry(retries: RetryState, error: unknown): void {
  const fault = faultOf(error);
  if (fault === "given_up") throw translate(error);
  if (fault === "duplicate") retries.duplicateMet = true;
  if (fault === "unknown" && !retries.uncertain) {
    retries.uncertain = true;
    // What happened is worth finding out.
    retries.until = performance.now() + heldContactWaitMs;
  }
  if (performance.now() >= retries.until) throw translate(error);
}

/** The pause before the next try: 5 to 100 ms, spread so that those who collided do not meet again. */
export function nextPauseMs(retries: RetryState): number {
  const { pauseMs } = retries;
  retries.pauseMs = Math.min(pauseMs * 2, 100);
  return pauseMs * (0.5 + Math.random() / 2);
}

/** Tries again for as long as that may help and 5 s have not passed. */
async function persist<Result>(
  retried: (error: unknown) => void,
  once: (retries: RetryState) => Promise<Result>,
): Promise<Result> {
  const retries = startRetries();
  for (;;) {
    try {
      return await once(retries);
    } catch (error) {
      prepareRetry(retries, error);
      retried(error);
      await sleep(nextPauseMs(retries));
    }
  }
}

async function transact<Result>(lent: Lent, work: (begin: () => Promise<void>) => Promise<Result>): Promise<Result> {
  const { connection, isOwn } = lent;
  const begin = async (): Promise<void> => {
    if (lent.isBegun) return;
    if (!isOwn) await command(connection, control.readCommitted);
    await command(connection, control.begin);
  };
  return withShortLockWaits(lent, async () => {
    const result = await limitTime(connection, statementsMs, () => work(begin)).catch((error: unknown) =>
      rollBack(connection, error),
    );
    const commit = lent.isKept ? control.commitAndBegin : control.commit;
    const isOpen = await limitTime(connection, commitMs, () => command(connection, commit)).catch((error: unknown) => {
      throw isKnownFailure(error) ? error : new Unclean("", { cause: new UnknownOutcome("", { cause: error }) });
    });
    // Galera may answer that it has committed and not begin the next one: what followed would commit itself, statement by statement.
    lent.isBegun = lent.isKept && isOpen;
    return result;
  });
}

/** An insert waits for whoever holds its name, and the whole transaction with it. A given pool's connections come back as they were. */
async function withShortLockWaits<Result>({ connection, isOwn }: Lent, work: () => Promise<Result>): Promise<Result> {
  if (isOwn) return work();
  const run = (lockWait: Control): Promise<boolean> =>
    limitTime(connection, commitMs, () => command(connection, lockWait));
  await run(control.shortenLockWait);
  try {
    return await work();
  } finally {
    await run(control.restoreLockWait).catch(() => connection.destroy());
  }
}

async function rollBack(connection: Connection, error: unknown): Promise<never> {
  if (isLostConnection(error)) throw error;
  await limitTime(connection, commitMs, () => command(connection, control.rollback)).catch(() => {
    throw new Unclean("", { cause: error });
  });
  throw error;
}

async function lookAtUncommitted(connection: Connection, tables: Tables, look: Statement): Promise<Row[]> {
  await command(connection, control.readUncommitted);
  return rowsOf(connection, tables, look, statementsMs);
}

export function workOn(
  connection: Connection,
  tables: Tables,
  { duplicateMet, uncertain, uncommitted }: Pick<Work, "duplicateMet" | "uncertain" | "uncommitted">,
  timeoutMs: number | null,
  waits = false,
): Work {
  return {
    rows: (statement) => rowsOf(connection, tables, statement, timeoutMs),
    write: async (statement) => (await headerOf(connection, tables, statement, timeoutMs)).affectedRows,
    insertId: async (statement) => Number((await headerOf(connection, tables, statement, timeoutMs)).insertId),
    waits,
    duplicateMet,
    uncertain,
    uncommitted,
  };
}
