import { randomUUID } from "node:crypto";
import type { Connection } from "mysql2";
import {
  BeginAgain,
  catchUp,
  command,
  execute,
  isGalera,
  isInTransaction,
  limitTime,
  nameOf,
  rowsOf,
  TransactionEnded,
  type Header,
  type Session,
  type SessionPool,
  type SessionSlot,
} from "../connection/index.ts";
import { statementsMs } from "../limits.ts";
import { persist, type RetryState } from "./retries.ts";
import { apiKeyStatements, control, type Query, type Row, type Statement, type Tables } from "../sql/index.ts";
import { held, workOn, type Committed, type Findings, type Runner, type Sender, type Step, type Work } from "./work.ts";

/** A runner that begins and ends its transactions itself. */
export interface OwnRunner extends Runner {
  /**
   * Runs one try in one transaction. Before it, executes `look`, which also reads the writes of open transactions. With a slot
   * the COMMIT begins the next transaction, which saves a round trip. For `inLine` see `Work`. `isSettled` returns true if
   * everything in the result is durable; by default only `held` is. With `endsIfIdle` the server ends the transaction if this
   * process stands still.
   */
  attempt<Result, Intent>(
    findings: Findings,
    work: (work: Work<Intent>) => Promise<Result>,
    options?: {
      look?: Statement | null;
      slot?: SessionSlot | null;
      inLine?: boolean;
      isSettled?: (result: Result) => boolean;
      endsIfIdle?: boolean;
    },
  ): Promise<Result>;
  writeInSteps<State, Result, Intent>(
    first: State,
    step: (work: Work<Intent>, state: State) => Promise<Step<State, Result> | typeof held>,
    options?: { endsIfIdle?: boolean },
  ): Promise<Result>;
  /** Executes a statement that commits by itself. Resolves with the value that it passed to LAST_INSERT_ID. */
  insertId(statement: Statement): Promise<number>;
  /** Counts a retry by the name of its error. */
  retried(error: unknown): void;
  /** The number of retries by the name of their error, as `nameOf` gives it. */
  retries(): Record<string, number>;
}

/** Calls `committed` after each commit, with the workspaces whose changes it wrote. */
export function createRunner(sessions: SessionPool, tables: Tables, committed: Committed): OwnRunner {
  const retries = new Map<string, number>();
  const retried = (error: unknown): void => {
    const name = nameOf(error);
    retries.set(name, (retries.get(name) ?? 0) + 1);
  };

  const attempt: OwnRunner["attempt"] = async (
    findings,
    work,
    { look = null, slot = null, inLine = false, isSettled = isHeld, endsIfIdle = false } = {},
  ) => {
    const announced = new Set<string>();
    const answer = await sessions.use(
      (session, isKept) =>
        transact(session, { andBegin: isKept, endsIfIdle }, async () => {
          const { connection } = session;
          const mayBeBehind = await mayLack(connection, findings);
          const uncommitted = look ? await lookAtUncommitted(connection, tables, look) : [];
          await session.begin();
          const sender = createSender(connection, tables, statementsMs, announced);
          const result = await work(workOn(sender, findings, { uncommitted, inLine, mayBeBehind }));
          if (!sender.hasWritten() && !isSettled(result)) await makeDurable(sender);
          return result;
        }),
      // Statements that run before BEGIN cannot use a connection with an open transaction.
      look || findings.behind ? null : slot,
    );
    committed(announced);
    return answer;
  };

  return {
    read: (work, timeoutMs = statementsMs) =>
      persist(retried, (state) =>
        sessions.use(({ connection }) =>
          limitTime(connection, timeoutMs, async () => {
            const mayBeBehind = await mayLack(connection, state);
            return work(workOn(createSender(connection, tables, timeoutMs), state, { mayBeBehind }));
          }),
        ),
      ),
    insertId: (statement) =>
      persist(retried, () => sessions.use(({ connection }) => insertIdOf(connection, statement(tables)))),
    attempt,
    retried,
    retries: () => Object.fromEntries(retries),
    async writeInSteps(first, step, options) {
      for (let progress = first; ;) {
        const stepped = await persist(retried, async (state: RetryState) => {
          const answer = await attempt(state, (work: Parameters<typeof step>[0]) => step(work, progress), options);
          if (answer === held) throw new BeginAgain();
          return answer;
        });
        if ("result" in stepped) return stepped.result;
        progress = stepped.next;
      }
    },
  };
}

/** Whether the connection's node may lack commits of others. After a `Behind` try, waits for them and returns false. */
async function mayLack(connection: Connection, { behind }: Findings): Promise<boolean> {
  if (!isGalera(connection)) return false;
  if (behind) await catchUp(connection);
  return !behind;
}

async function transact<Result>(
  session: Session,
  { andBegin, endsIfIdle }: { andBegin: boolean; endsIfIdle: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const run = async (): Promise<Result> => {
    const result = await limitTime(session.connection, statementsMs, work).catch(session.rollBack);
    await session.commit({ andBegin });
    return result;
  };
  return session.withShortWaits(run, { endsIfIdle });
}

function isHeld(result: unknown): boolean {
  return result === held;
}

/**
 * Makes the COMMIT of a transaction that has changed nothing wait for the disk. InnoDB shows rows to others before their commit
 * is durable. A crash can still take back such a row after it was returned. A COMMIT that has written something makes all
 * earlier commits durable too. A rollback does not, nor does an insert behind a savepoint.
 */
async function makeDurable({ write }: Sender): Promise<void> {
  const id = randomUUID();
  await write(apiKeyStatements.insertUnused(id));
  await write(apiKeyStatements.deleteUses(id));
}

function createSender(
  connection: Connection,
  tables: Tables,
  timeoutMs: number,
  announced: Set<string> = new Set(),
): Sender & { hasWritten(this: void): boolean } {
  let written = false;
  return {
    rows: (statement) => rowsOf(connection, tables, statement, timeoutMs),
    hasWritten: () => written,
    announce: (workspace) => void announced.add(workspace),
    async write(statement) {
      const query = statement(tables);
      const header = (await execute(connection, query, timeoutMs, { isWrite: true })) as Header;
      // Galera can roll back after a statement that it answers with OK.
      if (!isInTransaction(header.serverStatus)) throw new TransactionEnded();
      written ||= header.affectedRows > 0 && !query.mayChangeNothing;
      return header.affectedRows;
    },
  };
}

function insertIdOf(connection: Connection, query: Query): Promise<number> {
  return limitTime(connection, statementsMs, async () => {
    const { insertId } = (await execute(connection, query, statementsMs)) as Header;
    return Number(insertId);
  });
}

async function lookAtUncommitted(connection: Connection, tables: Tables, look: Statement): Promise<Row[]> {
  await command(connection, control.readUncommitted);
  return rowsOf(connection, tables, look, statementsMs);
}
