import { executorOnFound, type Executor } from "../connection/index.ts";
import { executorOf, type Answer } from "./executors.ts";

/** The part of a transaction that `fromDrizzle` needs. A database of Drizzle has no `rollback`. */
export interface DrizzleTransaction<Query> {
  execute(query: Query): PromiseLike<unknown>;
  rollback(): never;
}

/** Drizzle keeps the connection of a transaction over mysql2 in its session, but does not declare this. */
interface HasSession {
  readonly session?: { readonly client?: unknown };
}

/** Drizzle's `sql` tag. */
export type DrizzleSql<Query> = (texts: TemplateStringsArray, ...values: unknown[]) => Query;

/**
 * Makes the argument of `tracker.within` for a transaction of Drizzle over mysql2. It takes the `tx` that `db.transaction`
 * passes to its function, and Drizzle's `sql`. Use the result only while that function runs.
 */
export function fromDrizzle<Query>(tx: DrizzleTransaction<Query>, sql: DrizzleSql<Query>): Executor {
  if (typeof tx?.rollback !== "function" || typeof sql !== "function") {
    throw new TypeError("fromDrizzle takes the tx that db.transaction passes to its function, and Drizzle's sql.");
  }
  return executorOf(tx, {
    isOpen: () => true,
    find: async () => executorOnFound((tx as HasSession).session?.client),
    async execute(text, values) {
      const texts = text.split("?");
      const answer = await tx.execute(sql(Object.assign(texts, { raw: texts }), ...values));
      return (answer as Answer)[0];
    },
  });
}
