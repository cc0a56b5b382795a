import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mysql2";
import { commitMs, heldContactWaitMs } from "../../lib/limits.ts";
import { command, headerOf, limitTime, rowsOf } from "./connections.ts";
import { BeginAgain, faultOf, isKnownFailure, isLostConnection, translate, UnknownOutcome } from "./errors.ts";
import { Unclean, type Connections } from "./pool.ts";
import type { Row } from "./rows.ts";
import { control, type Statement, type Tables } from "./statements.ts";

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
}

/** An item's answer while another transaction holds what it is to write. */
export const held: unique symbol = Symbol("held");
/** What a step leads to: the result, or the state that the next step begins with. */
export type Step<State, Result> = { next: State } | { result: Result };

/** How calls reach the database: in transactions of their own, or in a caller's. */
export interface Runner {
  read<Result>(work: (work: Work) => Promise<Result>): Promise<Result>;
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

export function createRunner(connections: Connections, tables: Tables): Runner {
  const attempt = <Result>(lessons: Lessons, work: (work: Work) => Promise<Result>): Promise<Result> =>
    connections.use((connection) => transact(connection, lessons, () => work(workOn(connection, tables, lessons))));

  return {
    read: (work) =>
      persist((lessons) =>
        connections.use((connection) =>
          limitTime(connection, heldContactWaitMs, () => work(workOn(connection, tables, lessons))),
        ),
      ),
    write<Item, Result>(
      items: readonly Item[],
      once: (work: Work, items: readonly Item[]) => Promise<(Result | typeof held)[]>,
    ) {
      const copies = structuredClone(items);
      const results: Result[] = [];
      let waiting = copies.map((_, index) => index);
      return persist(async (lessons) => {
        connections.assertOpen();
        if (waiting.length === 0) return results;
        const chosen = waiting.map((index) => copies[index]!);
        const answers = await attempt(lessons, (work) => once(work, chosen));
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
        const stepped = await persist(async (lessons) => {
          const answer = await attempt(lessons, (work) => step(work, state));
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
interface Lessons {
  duplicateMet: boolean;
  uncertain: boolean;
  /** When to stop trying. */
  until: number;
}

/** Tries again after 5 to 100 ms for as long as that may help and 5 s have not passed. */
async function persist<Result>(once: (lessons: Lessons) => Promise<Result>): Promise<Result> {
  const lessons: Lessons = { duplicateMet: false, uncertain: false, until: Date.now() + heldContactWaitMs };
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    try {
      return await once(lessons);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === "given_up") throw translate(error);
      if (fault === "duplicate") lessons.duplicateMet = true;
      if (fault === "unknown" && !lessons.uncertain) {
        lessons.uncertain = true;
        // What happened is worth finding out.
        lessons.until = Date.now() + heldContactWaitMs;
      }
      if (Date.now() >= lessons.until) throw translate(error);
      // Spread, so that those who collided do not meet again.
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

async function transact<Result>(
  connection: Connection,
  { until }: Lessons,
  work: () => Promise<Result>,
): Promise<Result> {
  const started = async (): Promise<Result> => {
    await command(connection, control.readCommitted);
    await command(connection, control.begin);
    return work();
  };
  // An insert waits for whoever holds its name; at most as long as one waits for a held contact.
  const result = await limitTime(connection, Math.max(until - Date.now(), 1_000), started).catch((error: unknown) =>
    rollBack(connection, error),
  );
  await limitTime(connection, commitMs, () => command(connection, control.commit)).catch((error: unknown) => {
    throw isKnownFailure(error) ? error : new Unclean("", { cause: new UnknownOutcome("", { cause: error }) });
  });
  return result;
}

async function rollBack(connection: Connection, error: unknown): Promise<never> {
  if (isLostConnection(error)) throw error;
  await limitTime(connection, commitMs, () => command(connection, control.rollback)).catch(() => {
    throw new Unclean("", { cause: error });
  });
  throw error;
}

export function workOn(
  connection: Connection,
  tables: Tables,
  { duplicateMet, uncertain }: Pick<Lessons, "duplicateMet" | "uncertain">,
  waits = false,
): Work {
  return {
    rows: (statement) => rowsOf(connection, tables, statement),
    write: async (statement) => (await headerOf(connection, tables, statement)).affectedRows,
    insertId: async (statement) => Number((await headerOf(connection, tables, statement)).insertId),
    waits,
    duplicateMet,
    uncertain,
  };
}
