import { executorBy, keepExecutor, type CheckedExecutor, type Executor } from "../connection/index.ts";

const executors = new WeakMap<object, Executor>();

/** The parts of an ORM's transaction that we know. */
export interface OrmTransaction {
  /** Sends a statement through the ORM. */
  execute: Executor["execute"];
  isOpen(): boolean;
  /** The executor on the connection that the ORM uses for the transaction; `null` if it cannot be found. */
  find(): Promise<CheckedExecutor | null>;
}

/** One executor for each transaction, so that the calls of all its handles run one after another. */
export function executorOf(transaction: object, { execute, isOpen, find }: OrmTransaction): Executor {
  const kept = executors.get(transaction);
  if (kept) return kept;
  const throughOrm: Executor = { execute };
  const fallback = executorBy(throughOrm);
  let finding: Promise<CheckedExecutor> | undefined;
  const executor: CheckedExecutor = {
    ...fallback,
    async takeTurn(call) {
      finding ??= find().then(
        (found) => found ?? fallback,
        () => fallback,
      );
      const found = await finding;
      Object.assign(executor, found, { isOver: () => !isOpen() || found.isOver() });
      return executor.takeTurn(call);
    },
  };
  executors.set(transaction, throughOrm);
  keepExecutor(throughOrm, executor);
  return throughOrm;
}

/** The result of mysql2 that ORMs return: rows or a header, and the columns. */
export type Answer = readonly [Awaited<ReturnType<Executor["execute"]>>, ...unknown[]];
