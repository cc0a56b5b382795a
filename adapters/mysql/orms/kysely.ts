import { executorBy, override, turnsOf, type CheckedExecutor, type Executor, type Hold } from "../connection/index.ts";
import type { Row } from "../sql/index.ts";
import { executorOf } from "./executors.ts";

/** The part of a transaction that `fromKysely` needs. */
export interface KyselyTransaction {
  readonly isTransaction: true;
  getExecutor(): {
    /** Throws after the end of the transaction. */
    stream(query: RawQuery, chunkSize: number): unknown;
    provideConnection<Result>(consumer: (connection: KyselyConnection) => Promise<Result>): Promise<Result>;
  };
}

/** A connection of Kysely's. The BEGIN, the savepoints and the end of a transaction pass these methods too. */
interface KyselyConnection {
  executeQuery(query: RawQuery): Promise<Result>;
  streamQuery(query: RawQuery, chunkSize: number): AsyncIterableIterator<Result>;
}

/** A `CompiledQuery` of Kysely's, as its `CompiledQuery.raw` makes it. */
interface RawQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly query: {
    readonly kind: "RawNode";
    readonly sqlFragments: readonly string[];
    readonly parameters: readonly never[];
  };
  readonly queryId: { readonly queryId: string };
}

interface Result {
  readonly rows: readonly unknown[];
  readonly numAffectedRows?: bigint;
}

/**
 * Makes the argument of `tracker.within` for a transaction of Kysely over mysql2. It takes the `trx` that
 * `db.transaction().execute` passes on, or that `db.startTransaction().execute()` resolves with. Statements bypass plugins.
 */
export function fromKysely(trx: KyselyTransaction): Executor {
  if (trx?.isTransaction !== true || !isOpen(trx)) {
    throw new TypeError("fromKysely takes the trx of db.transaction or db.startTransaction, until it has ended.");
  }
  const provide = <Value>(consumer: (connection: KyselyConnection) => Promise<Value>): Promise<Value> =>
    trx.getExecutor().provideConnection(consumer);
  return executorOf(trx, {
    isOpen: () => isOpen(trx),
    find: () => provide(async (connection) => executorOn(connection)),
    execute: (sql, values) => provide((connection) => execute(connection, sql, values)),
  });
}

/** Kysely shows the end of a transaction only by an error. A stream that nobody reads sends no statement. */
function isOpen(trx: KyselyTransaction): boolean {
  try {
    trx.getExecutor().stream(rawQuery("", []), 1);
    return true;
  } catch {
    return false;
  }
}

function executorOn(connection: KyselyConnection): CheckedExecutor {
  const turns = turnsOf(connection, holdQueries(connection));
  return {
    ...executorBy({ execute: (sql, values) => turns.send(() => execute(connection, sql, values)) }),
    holdsStatements: true,
    takeTurn: turns.take,
  };
}

/** Holds back the caller's queries at Kysely's connection, because Kysely does not expose the connection of mysql2. */
function holdQueries(connection: KyselyConnection): Hold {
  return (gate) => {
    const { executeQuery, streamQuery } = connection;
    const executeInTurn: typeof executeQuery = (...query) =>
      gate.isOurs()
        ? executeQuery.apply(connection, query)
        : new Promise((resolve) => gate.wait(() => resolve(executeQuery.apply(connection, query))));
    const streamInTurn: typeof streamQuery = (...query) => {
      const turn = new Promise<void>((resolve) => gate.wait(resolve));
      return (async function* () {
        await turn;
        yield* streamQuery.apply(connection, query);
      })();
    };
    const restore = [
      override(connection, "executeQuery", { value: executeInTurn, writable: true }),
      override(connection, "streamQuery", { value: streamInTurn, writable: true }),
    ];
    return () => {
      for (const each of restore) each();
    };
  };
}

async function execute(
  connection: KyselyConnection,
  sql: string,
  values: readonly unknown[],
): ReturnType<Executor["execute"]> {
  const { rows, numAffectedRows } = await connection.executeQuery(rawQuery(sql, values));
  return numAffectedRows === undefined ? (rows as Row[]) : { affectedRows: Number(numAffectedRows) };
}

function rawQuery(sql: string, parameters: readonly unknown[]): RawQuery {
  const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] } as const;
  return { sql, parameters, query, queryId: { queryId: "whodid" } };
}
