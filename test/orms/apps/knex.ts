import knex, { type Knex } from "knex";
import { fromKnex } from "whodid/mysql";
import type { OpenedOrm, Orm, OrmTransaction } from "../orm.ts";
import { connectionSettings } from "./settings.ts";

interface Opened extends OpenedOrm {
  db: Knex;
}

const camelCase = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

const settings: Record<string, Partial<Knex.Config>> = {
  postProcessResponse: {
    postProcessResponse: (result: unknown) =>
      Array.isArray(result) && Array.isArray(result[0]) ? [result[0].map(camelCase), result[1]] : result,
  },
  "postProcessResponse that keeps the rows alone": {
    postProcessResponse: (result: unknown) => (Array.isArray(result) ? result[0] : result) as unknown,
  },
  wrapIdentifier: { wrapIdentifier: (value, wrap) => wrap(value.toUpperCase()) },
};

export const orm: Orm = {
  name: "Knex",
  example: "knex.js",
  nests: true,
  waits: true,
  escapes: false,
  async open(url, setting = ""): Promise<Opened> {
    const db = knex({
      client: "mysql2",
      connection: { uri: url, ...connectionSettings[setting] },
      pool: { min: 0, max: 20 },
      ...settings[setting],
    });
    return {
      db,
      transaction: (run) => db.transaction((trx) => run(describe(trx))),
      close: () => db.destroy(),
    };
  },
  wrong: (opened) => {
    const { db } = opened as Opened;
    // @ts-expect-error: Knex is no transaction
    const ofDatabase = () => fromKnex(db);
    const ended = async (end: "commit" | "rollback"): Promise<unknown> => {
      const trx = await db.transaction();
      await trx[end]();
      return fromKnex(trx);
    };
    return {
      "Knex itself": { pass: (within) => within(db), sentence: /pass fromKnex\(trx\)/ },
      "a transaction by itself": {
        pass: (within) => db.transaction(async (trx) => void within(trx)),
        sentence: /pass fromKnex\(trx\)/,
      },
      "Knex itself in fromKnex": { pass: ofDatabase, sentence: /fromKnex takes the trx of knex\.transaction/ },
      "a committed transaction": { pass: () => ended("commit"), sentence: /until it has been committed/ },
      "a transaction that was rolled back": { pass: () => ended("rollback"), sentence: /committed or rolled back/ },
    };
  },
  settings: {
    postProcessResponse: null,
    "postProcessResponse that keeps the rows alone": null,
    wrapIdentifier: null,
    rowsAsArray: null,
    nestTables: null,
    typeCast: null,
    bigNumberStrings: null,
  },
};

function describe(trx: Knex.Transaction): OrmTransaction {
  return {
    executor: fromKnex(trx),
    run: (text) => trx.raw(text),
    nested: (run) => trx.transaction((inner) => run(describe(inner))),
  };
}
