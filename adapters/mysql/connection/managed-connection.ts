import type { PoolConnection } from "mysql2";
import type { Connection as PromiseConnection } from "mysql2/promise";
import { TrackerError } from "../../../lib/model/errors.ts";
import { limitTime } from "./execute.ts";
import { executorOn, keepExecutor, type CheckedExecutor } from "./executor.ts";

/** A connection of the pool while a transaction's function has it. */
export interface Lent {
  executor: CheckedExecutor;
  /** For the function's own statements. `within` finds the executor for it, so that all calls run one after another. */
  connection: PromiseConnection;
  /**
   * Ends the use of `connection`: the pool's next user must not meet statements of a function that is over. Returns whether it
   * was used.
   */
  takeBack(): boolean;
}

/** These give the connection back to the pool, end it, or lead around this object, as a prepared statement does. */
const withheld = new Set(["release", "end", "close", "destroy", "changeUser", "connection", "pool", "prepare"]);

/**
 * Lends a connection that has been checked. It is destroyed if one of our statements takes longer than `limitMs`. `onError`
 * is told of each error of a statement, the function's own included.
 */
export function lend(connection: PoolConnection, limitMs: number, onError: (error: unknown) => void): Lent {
  const sent = executorOn(connection);
  const tell = (error: unknown): never => {
    onError(error);
    throw error;
  };
  const executor: CheckedExecutor = {
    ...sent,
    execute: (sql, values) => limitTime(connection, limitMs, () => sent.execute(sql, values)).catch(tell),
  };
  let isOver = false;
  let isUsed = false;
  const lent = new Proxy(connection.promise(), {
    get(target, name) {
      if (isOver) throw new TrackerError("transaction_required");
      if (withheld.has(String(name))) return undefined;
      isUsed = true;
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...values: unknown[]): unknown => {
        const result: unknown = member.apply(target, values);
        return result instanceof Promise ? result.catch(tell) : result;
      };
    },
  });
  keepExecutor(lent, executor);
  return { executor, connection: lent, takeBack: () => ((isOver = true), isUsed) };
}
