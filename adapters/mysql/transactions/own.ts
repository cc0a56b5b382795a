import { randomUUID } from "node:crypto";
import type { Connection } from "mysql2";
import {
  catchUp,
  command,
  errors,
  execute,
  isGalera,
  limitTime,
  rowsOf,
  type Header,
  type Lane,
  type Session,
  type SessionPool,
} from "../connection/index.ts";
import { statementsMs } from "../limits.ts";
import { createOwnSender, type OwnSender } from "./own-sender.ts";
import { persist, type RetryState } from "./retries.ts";
import {
  apiKeyStatements,
  control,
  type Query,
  type Row,
  type Sequence,
  type SequenceForm,
  type Statement,
  type Tables,
} from "../sql/index.ts";
import { rowLocked, workOn, type Committed, type Findings, type Runner, type Sender, type Work } from "./work.ts";

/** A runner that begins and ends its transactions itself. */
export interface OwnRunner extends Runner {
  /**
   * Runs one try in one transaction. Before it, executes `look`, which also reads the writes of open transactions. With a lane
   * the COMMIT begins the next transaction, which saves a round trip. For `inLine` see `Work`. `isSettled` returns true if
   * everything in the result is durable; by default only `rowLocked` is. With `endsIfIdle` the server ends the transaction if this
   * process stands still. The first try begins with the sequence of `atOnce`, if the session takes it.
   */
  attempt<Result, Intent>(
    findings: Findings,
    work: (work: Work<Intent>) => Promise<Result>,
    options?: {
      look?: Statement | null;
      lane?: Lane | null;
      inLine?: boolean;
      isSettled?: (result: Result) => boolean;
      endsIfIdle?: boolean;
      atOnce?: WriteAtOnce<Result> | null;
    },
  ): Promise<Result>;
  /** Executes a statement that commits by itself. Resolves with the value that it passed to LAST_INSERT_ID. */
  insertId(statement: Statement): Promise<number>;
  /** Counts a retry by the name of its error. */
  retried(error: unknown): void;
  /** The number of retries by the name of their error, as `nameOf` gives it. */
  retries(): Record<string, number>;
}

/** Makes a sequence in the session's form that can write everything; `null` if it would not be faster. */
export type WriteAtOnce<Result> = (form: SequenceForm) => SequenceWrite<Result> | null;

/** A sequence that can write everything, and the meaning of its answer. */
interface SequenceWrite<Result> {
  sequence(tables: Tables): Sequence;
  /** Reads the answer, with the rows of each SELECT. Committed: the result. Left open: the rest of the work. Neither: `null`. */
  resultOf(sets: readonly Row[][]): Begun<Result> | null;
}

type Begun<Result> = { result: Result } | { once<Intent>(work: Work<Intent>): Promise<Result> };

/** Calls `committed` after each commit, with the workspaces whose changes it wrote. */
export function createOwnRunner(sessions: SessionPool, tables: Tables, committed: Committed): OwnRunner {
  const retries = new Map<string, number>();
  const retried = (error: unknown): void => {
    const name = errors.nameOf(error);
    retries.set(name, (retries.get(name) ?? 0) + 1);
  };

  const attempt: OwnRunner["attempt"] = async (
    findings,
    work,
    { look = null, lane = null, inLine = false, isSettled = isRowLocked, endsIfIdle = false, atOnce = null } = {},
  ) => {
    const announced = new Set<string>();
    const isEarly = look !== null || findings.behind;
    const answer = await sessions.use(
      async (session, isKept) => {
        // A later try must look for rows that an earlier try may have written, so it does not use `atOnce`.
        const isFirst = !inLine && !findings.duplicateMet && !findings.uncertain && !findings.staleMarks;
        const begun = atOnce && isFirst ? await runAtOnce(session, atOnce, tables) : null;
        if (begun && "result" in begun) return begun.result;
        const sender = createOwnSender(session, tables, statementsMs, { announced, isOpen: begun !== null });
        return transact(session, sender, { andBegin: isKept && !isEarly, endsIfIdle }, async () => {
          const { connection } = session;
          const mayBeBehind = await mayLack(connection, findings);
          const uncommitted = look && !begun ? await lookAtUncommitted(session, tables, look) : [];
          await sender.begin();
          const result = await (begun?.once ?? work)(workOn(sender, findings, { uncommitted, inLine, mayBeBehind }));
          if (!sender.hasWritten() && !isSettled(result)) await makeDurable(sender);
          return result;
        });
      },
      // Statements that run before BEGIN cannot use a connection with an open transaction.
      isEarly && lane?.session?.form() === null ? null : lane,
    );
    committed(announced);
    return answer;
  };

  return {
    read: (work, timeoutMs = statementsMs) =>
      persist(retried, (state) =>
        sessions.use((session) =>
          limitTime(session.connection, timeoutMs, async () => {
            const mayBeBehind = await mayLack(session.connection, state);
            const sender = createOwnSender(session, tables, timeoutMs, { isOpen: true, mayStop: true });
            return work(workOn(sender, state, { mayBeBehind }));
          }),
        ),
      ),
    insertId: (statement) =>
      persist(retried, () => sessions.use(({ connection }) => insertIdOf(connection, statement(tables)))),
    attempt,
    retried,
    retries: () => Object.fromEntries(retries),
    async writeInSteps(first, step) {
      for (let progress = first; ;) {
        const stepped = await persist(retried, async (state: RetryState) => {
          const once = (work: Parameters<typeof step>[0]): ReturnType<typeof step> => step(work, progress);
          // If this process stood still, its locks would keep others from the log, its slots and its definitions. A batch holds
          // locks of contacts alone, mostly for one round trip, and two more would slow it down.
          const answer = await attempt(state, once, { endsIfIdle: true });
          if (answer === rowLocked) throw new errors.BeginAgain();
          return answer;
        });
        if ("result" in stepped) return stepped.result;
        progress = stepped.next;
      }
    },
  };
}

/** Whether the connection's node may lack commits of other nodes. After a `Behind` try, waits for the commits and returns false. */
async function mayLack(connection: Connection, { behind }: Findings): Promise<boolean> {
  if (!isGalera(connection)) return false;
  if (behind) await catchUp(connection);
  return !behind;
}

async function runAtOnce<Result>(
  session: Session,
  atOnce: WriteAtOnce<Result>,
  tables: Tables,
): Promise<Begun<Result> | null> {
  const form = session.form();
  const write = form && atOnce(form);
  const sequence = write && write.sequence(tables);
  if (!sequence || !session.takes(sequence)) return null;
  const sets = await session.run(sequence).catch((error: unknown) => {
    if (errors.isGuarded(error)) return null;
    throw error;
  });
  return sets && write.resultOf(sets);
}

async function transact<Result>(
  session: Session,
  sender: OwnSender,
  { andBegin, endsIfIdle }: { andBegin: boolean; endsIfIdle: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const run = async (): Promise<Result> => {
    const result = await limitTime(session.connection, statementsMs, work).catch(session.rollBack);
    // Where a transaction begins with its first statement, the COMMIT need not begin it.
    await session.commit({ andBegin: andBegin && session.form() === null, last: sender.takeLast() });
    return result;
  };
  return session.withShortWaits(run, { endsIfIdle });
}

function isRowLocked(result: unknown): boolean {
  return result === rowLocked;
}

/**
 * Makes the COMMIT of a transaction that has changed nothing wait for the disk. InnoDB shows rows to others before their commit
 * is durable. A crash can still take back such a row after it was returned. A COMMIT that has written something makes all
 * earlier commits durable too. A rollback does not, nor does an insert behind a savepoint.
 */
async function makeDurable({ writeLater }: Sender): Promise<void> {
  const id = randomUUID();
  await writeLater(apiKeyStatements.insertUnused(id));
  await writeLater(apiKeyStatements.deleteUses(id));
}

function insertIdOf(connection: Connection, query: Query): Promise<number> {
  return limitTime(connection, statementsMs, async () => {
    const { insertId } = (await execute(connection, query, statementsMs)) as Header;
    return Number(insertId);
  });
}

async function lookAtUncommitted({ connection }: Session, tables: Tables, look: Statement): Promise<Row[]> {
  await command(connection, control.readUncommitted);
  return rowsOf(connection, tables, look, statementsMs);
}
