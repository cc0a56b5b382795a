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
import { control, type Query, type Row, type Statement, type Tables } from "../sql/index.ts";
import { createTally } from "../stats.ts";
import { held, workOn, type Findings, type Runner, type Sender, type Work } from "./work.ts";

/** A runner that begins and ends its transactions itself. */
export interface OwnRunner extends Runner {
  /**
   * One try in one transaction. Before it, the statement `look` is read with what open transactions have written. With a slot
   * the COMMIT begins the next transaction, which saves a round trip. For `inLine` see `Work`.
   */
  attempt<Result, Intent>(
    findings: Findings,
    work: (work: Work<Intent>) => Promise<Result>,
    options?: { look?: Statement | null; slot?: SessionSlot | null; inLine?: boolean },
  ): Promise<Result>;
  /** Executes a statement that commits by itself. Resolves with the value that it passed to LAST_INSERT_ID. */
  insertId(statement: Statement): Promise<number>;
  /** Counts a retry by the name of its error. */
  retried(error: unknown): void;
  /** The number of retries by the name of their error, as `nameOf` gives it. */
  retries(): Record<string, number>;
}

export function createRunner(sessions: SessionPool, tables: Tables): OwnRunner {
  const tally = createTally();
  const retried = (error: unknown): void => tally.add(nameOf(error));

  const attempt: OwnRunner["attempt"] = (findings, work, { look = null, slot = null, inLine = false } = {}) =>
    sessions.use(
      (session, isKept) =>
        transact(session, isKept, async () => {
          const { connection } = session;
          const mayBeBehind = await mayLack(connection, findings);
          const uncommitted = look ? await lookAtUncommitted(connection, tables, look) : [];
          await session.begin();
          const sender = createSender(connection, tables, statementsMs);
          return work(workOn(sender, findings, { uncommitted, inLine, mayBeBehind }));
        }),
      // What goes before the transaction has no use for one that has been begun.
      look || findings.behind ? null : slot,
    );

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
    retries: tally.all,
    write<Item, Result, Intent>(
      items: readonly Item[],
      once: (work: Work<Intent>, items: readonly Item[]) => Promise<(Result | typeof held)[]>,
    ) {
      const remaining = createRemaining<Item, Result>(items);
      return persist(retried, async (state) => {
        sessions.assertOpen();
        const chosen = remaining.items();
        if (chosen.length > 0) remaining.answer(await attempt(state, (work: Work<Intent>) => once(work, chosen)));
        if (remaining.items().length > 0) throw new BeginAgain();
        return remaining.results;
      });
    },
    async writeInSteps(first, step) {
      for (let progress = first; ;) {
        const stepped = await persist(retried, async (state: RetryState) => {
          const answer = await attempt(state, (work: Parameters<typeof step>[0]) => step(work, progress));
          if (answer === held) throw new BeginAgain();
          return answer;
        });
        if ("result" in stepped) return stepped.result;
        progress = stepped.next;
      }
    },
  };
}

/** Whether the connection's node may lack what another has committed. After a try that was behind it waits, and does not. */
async function mayLack(connection: Connection, { behind }: Findings): Promise<boolean> {
  if (!isGalera(connection)) return false;
  if (behind) await catchUp(connection);
  return !behind;
}

/** Copies of a call's items that are not answered yet. */
interface Remaining<Item, Result> {
  items(): readonly Item[];
  /** Takes the answers to `items()`; those `held` remain. */
  answer(answers: readonly (Result | typeof held)[]): void;
  /** In the order of all items. */
  results: Result[];
}

function createRemaining<Item, Result>(items: readonly Item[]): Remaining<Item, Result> {
  let waiting = Array.from(structuredClone(items), (item, index) => ({ item, index }));
  const results: Result[] = [];
  return {
    items: () => waiting.map(({ item }) => item),
    answer(answers) {
      waiting = waiting.filter(({ index }, position) => {
        // There is one answer for each item.
        const answer = answers[position]!;
        if (answer !== held) results[index] = answer;
        return answer === held;
      });
    },
    results,
  };
}

async function transact<Result>(session: Session, andBegin: boolean, work: () => Promise<Result>): Promise<Result> {
  return session.withShortLockWaits(async () => {
    const result = await limitTime(session.connection, statementsMs, work).catch(session.rollBack);
    await session.commit({ andBegin });
    return result;
  });
}

function createSender(connection: Connection, tables: Tables, timeoutMs: number): Sender {
  return {
    rows: (statement) => rowsOf(connection, tables, statement, timeoutMs),
    async write(statement) {
      const header = (await execute(connection, statement(tables), timeoutMs, { isWrite: true })) as Header;
      // Galera can roll back after a statement that it answers with OK.
      if (!isInTransaction(header.serverStatus)) throw new TransactionEnded();
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
