import "reflect-metadata";
import { DataSource, type EntityManager } from "typeorm";
import { fromTypeorm } from "whodid/mysql";
import type { OpenedOrm, Orm, OrmTransaction } from "../orm.ts";
import { connectionSettings } from "./settings.ts";

interface Opened extends OpenedOrm {
  dataSource: DataSource;
}

export const orm: Orm = {
  name: "TypeORM",
  example: "typeorm.js",
  nests: true,
  waits: true,
  escapes: false,
  async open(url, setting = ""): Promise<Opened> {
    const settings = connectionSettings[setting];
    // What is no option of its own it hands on as `extra`.
    const own = setting === "typeCast" ? { extra: settings } : settings;
    const dataSource = new DataSource({ type: "mysql", url, poolSize: 20, extra: {}, ...own });
    await dataSource.initialize();
    return {
      dataSource,
      transaction: (run) => dataSource.transaction((manager) => run(describe(manager))),
      close: () => dataSource.destroy(),
    };
  },
  wrong: (opened) => {
    const { dataSource } = opened as Opened;
    // @ts-expect-error: a data source is no manager
    const ofDataSource = () => fromTypeorm(dataSource);
    const ended = async (): Promise<unknown> => {
      const runner = dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner.commitTransaction();
      try {
        return fromTypeorm(runner.manager);
      } finally {
        await runner.release();
      }
    };
    const sentence = /fromTypeorm takes the manager that dataSource\.transaction passes on/;
    return {
      "a data source": { pass: (within) => within(dataSource), sentence: /pass fromTypeorm\(manager\)/ },
      "a manager by itself": {
        pass: (within) => dataSource.transaction(async (manager) => void within(manager)),
        sentence: /pass fromTypeorm\(manager\)/,
      },
      "the manager of no transaction by itself": {
        pass: (within) => within(dataSource.manager),
        sentence: /pass fromTypeorm\(manager\)/,
      },
      "a data source in fromTypeorm": { pass: ofDataSource, sentence },
      "the manager of no transaction": { pass: () => fromTypeorm(dataSource.manager), sentence },
      "the manager of a transaction that has ended": { pass: ended, sentence: /until it has ended/ },
    };
  },
  settings: {
    // With `rowsAsArray` and `nestTables` TypeORM itself does not start.
    typeCast: null,
    bigNumberStrings: null,
  },
};

function describe(manager: EntityManager): OrmTransaction {
  return {
    executor: fromTypeorm(manager),
    run: (text) => manager.query(text),
    nested: (run) => manager.transaction((inner) => run(describe(inner))),
  };
}
