import { CamelCasePlugin, Kysely, MysqlDialect, sql, type ControlledTransaction, type Transaction } from "kysely";
import mysql from "mysql2";
import { fromKysely } from "whodid/mysql";
import type { OpenedOrm, Orm, OrmTransaction } from "../orm.ts";
import { connectionSettings } from "./settings.ts";

type Tables = Record<string, Record<string, unknown>>;

interface Opened extends OpenedOrm {
  db: Kysely<Tables>;
}

export const orm: Orm = {
  name: "Kysely",
  example: "kysely.js",
  nests: false,
  waits: true,
  escapes: true,
  async open(url, setting = ""): Promise<Opened> {
    const pool = mysql.createPool({ uri: url, connectionLimit: 20, ...connectionSettings[setting] });
    const plugins = setting === "CamelCasePlugin" ? [new CamelCasePlugin()] : [];
    const db = new Kysely<Tables>({ dialect: new MysqlDialect({ pool }), plugins });
    return {
      db,
      transaction: (run) => db.transaction().execute((trx) => run(describe(trx))),
      close: () => db.destroy(),
    };
  },
  wrong: (opened) => {
    const { db } = opened as Opened;
    // @ts-expect-error: a database is no transaction
    const ofDatabase = () => fromKysely(db);
    const ended = async (end: "commit" | "rollback"): Promise<unknown> => {
      const trx = await db.startTransaction().execute();
      await trx[end]().execute();
      return fromKysely(trx);
    };
    return {
      "the database": { pass: (within) => within(db), sentence: /pass fromKysely\(trx\)/ },
      "a transaction by itself": {
        pass: (within) => db.transaction().execute(async (trx) => void within(trx)),
        sentence: /pass fromKysely\(trx\)/,
      },
      "the database in fromKysely": { pass: ofDatabase, sentence: /fromKysely takes the trx of db\.transaction/ },
      "a committed transaction": { pass: () => ended("commit"), sentence: /until it has ended/ },
      "a transaction that was rolled back": { pass: () => ended("rollback"), sentence: /until it has ended/ },
    };
  },
  settings: {
    CamelCasePlugin: null,
    rowsAsArray: /rows as objects/,
    nestTables: /columns under their own names/,
    typeCast: /bytes as they are.*`typeCast`/,
    bigNumberStrings: null,
  },
};

/** The same with transactions that the caller ends: they tell their end, and have savepoints. */
export const controlled: Orm = {
  ...orm,
  name: "Kysely, startTransaction",
  nests: true,
  async open(url, setting): Promise<Opened> {
    const opened = (await orm.open(url, setting)) as Opened;
    return {
      ...opened,
      async transaction(run) {
        const trx = await opened.db.startTransaction().execute();
        try {
          await run(describeControlled(trx));
          await trx.commit().execute();
        } catch (error) {
          await trx.rollback().execute();
          throw error;
        }
      },
    };
  },
};

function describe(trx: Transaction<Tables>): OrmTransaction {
  return { executor: fromKysely(trx), run: (text) => sql.raw(text).execute(trx) };
}

function describeControlled(trx: ControlledTransaction<Tables, string[]>): OrmTransaction {
  return {
    ...describe(trx),
    async nested(run) {
      const inner = await trx.savepoint("inner").execute();
      try {
        await run(describe(inner));
        await inner.releaseSavepoint("inner").execute();
      } catch (error) {
        await inner.rollbackToSavepoint("inner").execute();
        throw error;
      }
    },
  };
}
