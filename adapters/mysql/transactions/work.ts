import { errors } from "../connection/index.ts";
import type { Row, Statement } from "../sql/index.ts";

/** Facts that earlier tries of a call have found. */
export interface Findings {
  /** Whether an earlier try failed because a row existed that it did not expect. */
  duplicateMet: boolean;
  /** Whether an earlier try may have been committed. */
  uncertain: boolean;
  /** The last try's note about its write; `null` if it made none. */
  intent: unknown;
  /** Whether an earlier try was `Behind`. The next try first waits until its node has the commits of all nodes. */
  behind: boolean;
  /** Whether an earlier try was refused because the marks of deleted workspaces were read long before it. */
  staleMarks: boolean;
}

/** Sends the statements of a transaction, or of a read. */
export interface Sender {
  /** In a read outside of transactions, throws `TooLarge` once the rows have more than `maxBytes`. Then the read must end. */
  rows(this: void, statement: Statement, maxBytes?: number): Promise<Row[]>;
  /** Resolves with the number of rows that the statement matched. */
  write(this: void, statement: Statement): Promise<number>;
  /** Executes the statement before the next statement, or with the COMMIT. Either can throw its error. */
  writeLater(this: void, statement: Statement): Promise<void>;
  /** Announces changes of the workspace after the commit. */
  announce(this: void, workspace: string): void;
}

/** One try's access to the database: the statements of one transaction, and the findings of earlier tries of the same call. */
export interface Work<Intent = unknown> extends Sender, Pick<Findings, "duplicateMet" | "uncertain" | "staleMarks"> {
  /**
   * True in a caller's transaction: statements wait for locks, and reads can be older than the last commits of others. False
   * otherwise: statements leave out locked rows, and read the last commits.
   */
  waits: boolean;
  /** Whether a write should look for a duplicate beforehand, because a duplicate that it meets ends the transaction. */
  looksFirst: boolean;
  /** Whether this try is about one contact, and waits for its row if another transaction has locked it. */
  inLine: boolean;
  /** The note of the last try, if an earlier try may have been committed; else `null`. */
  intended: Intent | null;
  /** Notes the write that this try begins, for the next try. */
  intend(intent: Intent | null): void;
  /** The rows that the read of uncommitted data has found. */
  uncommitted: readonly Row[];
  /** Whether the try runs on a node of a Galera cluster that may lack the commits of other nodes. */
  mayBeBehind: boolean;
}

/** Must be called before a row is reported as missing. Throws `Behind` if another node may have the row. */
export function assertCaughtUp({ mayBeBehind }: Work): void {
  if (mayBeBehind) throw new errors.Behind();
}

/** Reads the number in this column of the only row that the statement returns. */
export async function readNumber(work: Work, statement: Statement, column: string): Promise<number> {
  const [row] = await work.rows(statement);
  // The statement returns one row.
  return Number(row![column]);
}

/** The answer for an item if another transaction has locked a row that the item must write. */
export const rowLocked: unique symbol = Symbol("rowLocked");

/** The result of a step, or the state that the next step begins with. */
export type Step<State, Result> = { next: State } | { result: Result };

/** Runs calls on the database: in transactions of their own, or in a caller's transaction. */
export interface Runner {
  /** Runs the work for at most `timeoutMs`. In a caller's transaction there is no limit. */
  read<Result>(work: (work: Work) => Promise<Result>, timeoutMs?: number): Promise<Result>;
  /** Goes on from step to step until there is a result; each step is a transaction of its own, unless the caller has one. */
  writeInSteps<State, Result, Intent>(
    first: State,
    step: (work: Work<Intent>, state: State) => Promise<Step<State, Result> | typeof rowLocked>,
  ): Promise<Result>;
}

/** Is called after a commit, with the workspaces whose changes it wrote. */
export type Committed = (workspaces: ReadonlySet<string>) => void;

export function workOn<Intent>(
  sender: Sender,
  findings: Findings,
  {
    uncommitted = [],
    waits = false,
    looksFirst = false,
    inLine = false,
    mayBeBehind = false,
  }: Partial<Pick<Work, "uncommitted" | "waits" | "looksFirst" | "inLine" | "mayBeBehind">> = {},
): Work<Intent> {
  const { duplicateMet, uncertain, staleMarks, intent } = findings;
  return {
    ...sender,
    waits,
    looksFirst,
    inLine,
    duplicateMet,
    uncertain,
    staleMarks,
    // Each call notes intents of one type.
    intended: uncertain ? (intent as Intent | null) : null,
    intend: (next) => void (findings.intent = next),
    uncommitted,
    mayBeBehind,
  };
}
