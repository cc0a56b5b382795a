import type { Connection, PoolConnection } from "mysql2";
import { commandTurnsOf } from "./commands.ts";
import { sendPrepared, sendText } from "./execute.ts";
import { mysql2Connection } from "./mysql2-connection.ts";
import { serverErrorOf } from "./server-error.ts";
import { createTurns, override, type Hold, type Turns } from "./turns.ts";
import type { Row } from "../sql/index.ts";

/** The result of a statement that returns no rows. */
export interface ExecutedHeader {
  /** The number of rows that the statement matched. */
  affectedRows: number;
  /** The server's status flags after the statement, in the form of mysql2. They save a round trip. */
  serverStatus?: number;
}

type Values = readonly (string | number | null)[];

/** Runs statements on one connection, in a transaction that the caller begins and ends. */
export interface Executor {
  /**
   * Sends one statement with its values, in the order of the placeholders `?`. A statement without values must be sent as text,
   * because MySQL cannot prepare all of them. Resolves with the rows of a query, or with the header of any other statement. A
   * row is an object by the names of its columns, with bytes as a `Buffer` or `Uint8Array`. Rejects with an error that has the
   * server's `errno`, itself or in its `cause`, `parent` or `meta`.
   */
  execute(sql: string, values: Values): Promise<readonly Row[] | ExecutedHeader>;
}

/** An executor, and the properties of its connection. */
export interface CheckedExecutor extends Executor {
  /** Whether the client may escape values. A connection of mysql2 sends them as parameters instead. */
  mayEscape: boolean;
  /** The connection or executor that sends the statements, and is checked once. */
  sendsBy: object;
  /** Whether the caller's own statements wait while a call runs. */
  holdsStatements: boolean;
  /** Runs calls one after another, in the order in which they were made. */
  takeTurn: Turns["take"];
  /** Whether the caller has released the connection, or the ORM has ended the transaction. */
  isOver(): boolean;
}

/** One executor for each connection, because its calls run one after another. */
const executors = new WeakMap<object, CheckedExecutor>();

/**
 * Returns the executor for the argument of `within`: a connection of mysql2, or an executor. For any other value, throws a
 * `TypeError` that names the function to use.
 */
export function toExecutor(given: unknown): CheckedExecutor {
  const kept = executors.get(given as object);
  if (kept) return kept;
  const found = executorOnFound(given);
  if (found) return found;
  if (isExecutor(given)) return known(given, () => executorBy(given));
  throw new TypeError(`${adviceOn(given)} ${whatWithinTakes}`);
}

/** Returns the executor for a connection of mysql2; `null` for any other value. */
export function executorOnFound(given: unknown): CheckedExecutor | null {
  const connection = mysql2Connection(given);
  if (!connection) return null;
  const executor = known(connection, () => executorOfLease(connection));
  // A pool makes a new wrapper for each checkout. Calls by the old wrapper stay refused.
  executors.set(given as object, executor);
  return executor;
}

/** Makes `toExecutor` return the executor for the connection or its proxy. */
export function keepExecutor(connection: object, executor: CheckedExecutor): void {
  executors.set(connection, executor);
}

/** Returns the executor of a connection until its release. Afterwards the connection may be in another transaction. */
function executorOfLease(connection: Connection): CheckedExecutor {
  let isOver = false;
  const { release } = connection as Partial<PoolConnection>;
  if (release) {
    const restore = override(connection, "release", {
      writable: true,
      value: () => {
        restore();
        isOver = true;
        executors.delete(connection);
        release.call(connection);
      },
    });
  }
  return { ...executorOn(connection), isOver: () => isOver };
}

function known(key: object, make: () => CheckedExecutor): CheckedExecutor {
  const executor = executors.get(key) ?? make();
  executors.set(key, executor);
  return executor;
}

export function executorOn(connection: Connection): CheckedExecutor {
  const turns = commandTurnsOf(connection);
  return {
    mayEscape: false,
    sendsBy: connection,
    holdsStatements: true,
    takeTurn: turns.take,
    isOver: () => false,
    execute: (sql, values) =>
      turns.send(() => (values.length === 0 ? sendText(connection, sql) : sendPrepared(connection, sql, values))),
  };
}

const holdNothing: Hold = () => () => {};

/** Sends statements by the caller's executor. Nothing delays the caller's own statements, so they can run in between. */
export function executorBy(given: Executor): CheckedExecutor {
  return {
    mayEscape: true,
    sendsBy: given,
    holdsStatements: false,
    takeTurn: createTurns(holdNothing).take,
    isOver: () => false,
    async execute(sql, values) {
      try {
        return await given.execute(...withLimitWritten(sql, values));
      } catch (error) {
        throw serverErrorOf(error);
      }
    },
  };
}

/**
 * Writes the number of a LIMIT into the text. Our statements pass it as a text, because drivers send numbers as DOUBLE, which a
 * prepared LIMIT refuses. A driver that escapes on the client would quote the text, and the server refuses that too.
 */
function withLimitWritten(sql: string, values: Values): [sql: string, values: Values] {
  const [before, after, ...others] = sql.split("LIMIT ?");
  if (after === undefined || others.length > 0) return [sql, values];
  const index = before!.split("?").length - 1;
  return [`${before}LIMIT ${Number(values[index])}${after}`, values.toSpliced(index, 1)];
}

/** Accepts plain objects only, because the databases and transactions of some ORMs have a method `execute` too. */
function isExecutor(given: unknown): given is Executor {
  if (typeof given !== "object" || given === null || Object.getPrototypeOf(given) !== Object.prototype) return false;
  return "execute" in given && typeof given.execute === "function";
}

const whatWithinTakes =
  "within takes a connection of mysql2 on which a transaction was begun; what fromDrizzle, fromKnex, fromKysely or fromTypeorm of whodid/mysql makes of a transaction; or { execute } for another ORM.";

/** A member that identifies a kind of object, and the advice for it. */
const advice: readonly [sign: string, advice: string][] = [
  ["$queryRawUnsafe", "This is of Prisma: pass { execute } on the tx of $transaction, as examples/transactions does."],
  [
    "getQueryInterface",
    "This is Sequelize itself: pass { execute } with a transaction, as examples/transactions does.",
  ],
  ["sequelize", "This is of Sequelize: pass { execute } with the transaction, as examples/transactions does."],
  [
    "getUnitOfWork",
    "This is of MikroORM: pass { execute } on the em of em.transactional, as examples/transactions does.",
  ],
  ["getConnection", "This is a pool: begin a transaction on a connection of it."],
  ["executeQuery", "This is of Kysely: pass fromKysely(trx)."],
  ["migrate", "This is of Knex: pass fromKnex(trx)."],
  ["dialect", "This is of Drizzle: pass fromDrizzle(tx, sql)."],
  ["createQueryRunner", "This is a data source of TypeORM: pass fromTypeorm(manager)."],
  ["withRepository", "This is of TypeORM: pass fromTypeorm(manager)."],
];

function adviceOn(given: unknown): string {
  const isObject = (typeof given === "object" || typeof given === "function") && given !== null;
  return (isObject && advice.find(([sign]) => sign in given)?.[1]) || "This is no transaction.";
}
