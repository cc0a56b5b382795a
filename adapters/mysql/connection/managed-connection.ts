import type { PoolConnection } from "mysql2";
import type { Connection as PromiseConnection } from "mysql2/promise";
import { TrackerError } from "../../../lib/model/errors.ts";
import { limitTime } from "./execute.ts";
import { executorOn, keepExecutor, type CheckedExecutor } from "./executor.ts";

/** A connection of the pool that is checked out to a transaction's function. */
export interface Lent {
  executor: CheckedExecutor;
  /** Runs the function's own statements. `within(connection)` uses `executor` too, so that all calls run one after another. */
  connection: PromiseConnection;
  /**
   * Ends the use of `connection`. A function that is still running can then send no statement to the connection's next user.
   * Returns whether `connection` was used.
   */
  takeBack(): boolean;
}

/** These members release or end the connection, or bypass the proxy, like a prepared statement. */
const withheld = new Set(["release", "end", "close", "destroy", "changeUser", "connection", "pool", "prepare"]);

/**
 * Checks out a connection that `check.ts` has accepted. Destroys it if one of our statements takes longer than `limitMs`. Calls
 * `onError` with each error of a statement, also of the function's own.
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
