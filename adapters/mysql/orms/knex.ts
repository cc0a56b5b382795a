import { TrackerError } from "../../../lib/model/errors.ts";
import { executorOnFound, type Executor } from "../connection/index.ts";
import { executorOf, type Answer } from "./executors.ts";

/** The part of a transaction that `fromKnex` needs. Knex itself has no `isCompleted`. */
export interface KnexTransaction {
  isCompleted(): boolean;
  readonly client?: { acquireConnection(): PromiseLike<unknown> };
  raw(sql: string, values: readonly (string | number | null)[]): PromiseLike<unknown>;
}

/** Makes the argument of `tracker.within` for a transaction of Knex over mysql2: the `trx` of `knex.transaction`. */
export function fromKnex(trx: KnexTransaction): Executor {
  if (typeof trx?.isCompleted !== "function" || trx.isCompleted()) {
    throw new TypeError("fromKnex takes the trx of knex.transaction, until it has been committed or rolled back.");
  }
  return executorOf(trx, {
    isOpen: () => !trx.isCompleted(),
    // Inside a transaction, Knex returns the transaction's connection.
    find: async () => executorOnFound(await trx.client?.acquireConnection()),
    async execute(sql, values) {
      if (trx.isCompleted()) throw new TrackerError("transaction_required");
      return ((await trx.raw(sql, values)) as Answer)[0];
    },
  });
}
