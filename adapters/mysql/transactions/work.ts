import type { Connection } from "mysql2";
import { headerOf, rowsOf } from "../connection/index.ts";
import type { Row, Statement, Tables } from "../sql/index.ts";

/** What the earlier tries of a call have shown. */
export interface Findings {
  /** Whether a row that was taken to be absent was there. */
  duplicateMet: boolean;
  /** Whether an earlier try may have been committed. */
  uncertain: boolean;
  /** What the last try noted that it was about to do; `null` for nothing. */
  intent: unknown;
}

/** What a try works with: statements of one transaction, and what earlier tries of the same call have shown. */
export interface Work<Intent = unknown> {
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
  /** Whether a row that was taken to be absent was there. */
  duplicateMet: boolean;
  /** Whether an earlier try may have been committed. */
  uncertain: boolean;
  /** What the last of the earlier tries was about to do, if one of them may have been committed; else `null`. */
  intended: Intent | null;
  /** Notes what this try is about to do, for the next one. */
  intend(intent: Intent | null): void;
  /** What the look at uncommitted rows has found. */
  uncommitted: readonly Row[];
}

/** An item's answer while another transaction holds a row that it must write. */
export const held: unique symbol = Symbol("held");

/** The result of a step, or the state that the next step begins with. */
export type Step<State, Result> = { next: State } | { result: Result };

/** How calls reach the database: in transactions of their own, or in a caller's. */
export interface Runner {
  /** Runs in a caller's transaction without a time limit, else for at most `timeoutMs`. */
  read<Result>(work: (work: Work) => Promise<Result>, timeoutMs?: number): Promise<Result>;
  /** Writes copies of the items in one transaction, and those answered `held` again until they are not. */
  write<Item, Result, Intent>(
    items: readonly Item[],
    once: (work: Work<Intent>, items: readonly Item[]) => Promise<(Result | typeof held)[]>,
  ): Promise<Result[]>;
  /** Goes on from step to step until there is a result; each step is a transaction of its own, unless the caller has one. */
  writeInSteps<State, Result, Intent>(
    first: State,
    step: (work: Work<Intent>, state: State) => Promise<Step<State, Result> | typeof held>,
  ): Promise<Result>;
}

/** `waits` is for a caller's transaction; `timeoutMs` of `null` lets a statement take as long as it likes. */
export function workOn<Intent>(
  connection: Connection,
  tables: Tables,
  findings: Findings,
  uncommitted: readonly Row[],
  { timeoutMs, waits = false }: { timeoutMs: number | null; waits?: boolean },
): Work<Intent> {
  const { duplicateMet, uncertain, intent } = findings;
  return {
    rows: (statement) => rowsOf(connection, tables, statement, timeoutMs),
    write: async (statement) => (await headerOf(connection, tables, statement, timeoutMs)).affectedRows,
    insertId: async (statement) => Number((await headerOf(connection, tables, statement, timeoutMs)).insertId),
    waits,
    duplicateMet,
    uncertain,
    // Each call notes intents of one type.
    intended: uncertain ? (intent as Intent | null) : null,
    intend: (next) => void (findings.intent = next),
    uncommitted,
  };
}
