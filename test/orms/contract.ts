import type { OpenedStorage } from "../../adapters/storage-contract/index.ts";
import type { Database } from "../support/database.ts";
import { openMysql } from "../support/mysql.ts";
import type { OpenedOrm, Orm, OrmTransaction } from "./orm.ts";

/** What the contract opens: transactions of the ORM, which the test ends. */
export async function openThrough(orm: Orm, database: Database): Promise<OpenedStorage> {
  const { url, storage, dispose } = await openMysql(database);
  const opened = await orm.open(url);
  return {
    storage,
    async begin() {
      const begun = await begin(opened);
      return { ...begun, transaction: begun.transaction.executor };
    },
    async dispose() {
      await opened.close();
      await dispose();
    },
  };
}

/** A transaction that lasts until it is told to end. */
export interface Begun {
  transaction: OrmTransaction;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

const rolledBack = new Error("rolled back");

export function begin(opened: OpenedOrm): Promise<Begun> {
  return new Promise((resolve, reject) => {
    const ended = opened.transaction(
      (transaction) =>
        new Promise<void>((commit, rollback) =>
          resolve({
            transaction,
            async commit() {
              commit();
              await ended;
            },
            async rollback() {
              rollback(rolledBack);
              await ended.catch((error: unknown) => {
                if (error !== rolledBack) throw error;
              });
            },
          }),
        ),
    );
    ended.catch(reject);
  });
}
