import { sql } from "drizzle-orm";
import { drizzle, type MySql2Database } from "drizzle-orm/mysql2";
import mysql from "mysql2/promise";
import { fromDrizzle } from "whodid/mysql";
import type { OpenedOrm, Orm, OrmTransaction } from "../orm.ts";

type Tx = Parameters<Parameters<MySql2Database["transaction"]>[0]>[0];

interface Opened extends OpenedOrm {
  db: MySql2Database;
}

const poolOptions: Record<string, mysql.PoolOptions> = {
  rowsAsArray: { rowsAsArray: true },
  nestTables: { nestTables: true } as mysql.PoolOptions,
  typeCast: { typeCast: (field, next) => (field.type === "BLOB" ? field.string() : next()) },
  bigNumberStrings: { supportBigNumbers: true, bigNumberStrings: true, namedPlaceholders: true, dateStrings: true },
  casing: {},
};

export const orm: Orm = {
  name: "Drizzle",
  example: "drizzle.js",
  nests: true,
  waits: true,
  escapes: false,
  async open(url, setting): Promise<Opened> {
    const pool = mysql.createPool({ uri: url, connectionLimit: 20, ...poolOptions[setting ?? ""] });
    const db = drizzle({ client: pool, ...(setting === "casing" && { casing: "camelCase" }) });
    return {
      db,
      transaction: (run) => db.transaction((tx) => run(describe(tx))),
      close: () => pool.end(),
    };
  },
  wrong: (opened) => {
    const { db } = opened as Opened;
    // @ts-expect-error: a database is no transaction
    const ofDatabase = () => fromDrizzle(db, sql);
    // @ts-expect-error: the tag is missing
    const withoutTag = () => db.transaction(async (tx) => fromDrizzle(tx));
    return {
      "the database": { pass: (within) => within(db), sentence: /pass fromDrizzle\(tx, sql\)/ },
      "a transaction by itself": {
        pass: (within) => db.transaction(async (tx) => within(tx)),
        sentence: /pass fromDrizzle\(tx, sql\)/,
      },
      "the database in fromDrizzle": { pass: ofDatabase, sentence: /fromDrizzle takes the tx that db\.transaction/ },
      "a transaction without sql in fromDrizzle": { pass: withoutTag, sentence: /and Drizzle's sql/ },
    };
  },
  settings: {
    rowsAsArray: null,
    nestTables: null,
    // Drizzle has a `typeCast` of its own for each query.
    typeCast: null,
    bigNumberStrings: null,
    casing: null,
  },
};

function describe(tx: Tx): OrmTransaction {
  return {
    executor: fromDrizzle(tx, sql),
    run: (text) => tx.execute(sql.raw(text)),
    nested: (run) => tx.transaction((inner) => run(describe(inner))),
  };
}
