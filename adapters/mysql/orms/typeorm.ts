import { TrackerError } from "../../../lib/model/errors.ts";
import { executorOnFound, type Executor } from "../connection/index.ts";
import { executorOf } from "./executors.ts";

/** The part of an entity manager that `fromTypeorm` needs. A data source has no `withRepository`. */
export interface TypeormManager {
  readonly queryRunner?: { readonly isTransactionActive: boolean; connect?(): Promise<unknown> };
  query(sql: string, values: unknown[]): Promise<unknown>;
  withRepository(repository: never): unknown;
}

/**
 * Makes the argument of `tracker.within` for a transaction of TypeORM: the manager that `dataSource.transaction` passes on, or
 * a query runner's.
 */
export function fromTypeorm(manager: TypeormManager): Executor {
  const isOpen = (): boolean => manager?.queryRunner?.isTransactionActive === true;
  if (!isOpen()) {
    throw new TypeError("fromTypeorm takes the manager that dataSource.transaction passes on, until it has ended.");
  }
  return executorOf(manager, {
    isOpen,
    // Inside a transaction, this is the transaction's connection: of mysql2, or of mysql if TypeORM uses that driver.
    find: async () => executorOnFound(await manager.queryRunner?.connect?.()),
    async execute(sql, values) {
      if (!isOpen()) throw new TrackerError("transaction_required");
      return (await manager.query(sql, [...values])) as Awaited<ReturnType<Executor["execute"]>>;
    },
  });
}
