import type { Executor } from "../connection/index.ts";

const executors = new WeakMap<object, Executor>();

/** One executor for each transaction, so that the calls of all its handles run one after another. */
export function executorOf(transaction: object, execute: Executor["execute"]): Executor {
  const executor = executors.get(transaction) ?? { execute };
  executors.set(transaction, executor);
  return executor;
}

/** The result of mysql2 that ORMs return: rows or a header, and the columns. */
export type Answer = readonly [Awaited<ReturnType<Executor["execute"]>>, ...unknown[]];
