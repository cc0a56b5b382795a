import { TrackerError } from "../../../lib/errors.ts";
import type { Executor } from "../connection/index.ts";
import type { Row } from "../sql/index.ts";
import { executorOf } from "./executors.ts";

/** The part of a transaction that `fromKysely` needs. A controlled transaction tells its end. */
export interface KyselyTransaction {
  readonly isTransaction: true;
  readonly isCommitted?: boolean;
  readonly isRolledBack?: boolean;
  withoutPlugins(): { executeQuery(query: RawQuery): PromiseLike<Result> };
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
 * Makes the argument of `tracker.within` for a transaction of Kysely over mysql2. It is the `trx` that `db.transaction().execute`
 * passes on, or that `db.startTransaction().execute()` resolves with. Use the former only as long as its function runs: it does not tell that
 * it has ended. Plugins are passed by.
 */
export function fromKysely(trx: KyselyTransaction): Executor {
  const hasEnded = (): boolean => trx.isCommitted === true || trx.isRolledBack === true;
  if (trx?.isTransaction !== true || hasEnded()) {
    throw new TypeError("fromKysely takes the trx of db.transaction or db.startTransaction, until it has ended.");
  }
  return executorOf(trx, async (sql, parameters) => {
    if (hasEnded()) throw new TrackerError("transaction_required");
    const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] } as const;
    const raw = { sql, parameters, query, queryId: { queryId: "whodid" } };
    const { rows, numAffectedRows } = await trx.withoutPlugins().executeQuery(raw);
    return numAffectedRows === undefined ? (rows as Row[]) : { affectedRows: Number(numAffectedRows) };
  });
}
