import { EntitySchema, MikroORM, type EntityManager } from "@mikro-orm/mysql";
import type { Executor } from "whodid/mysql";
import type { OpenedOrm, Orm, OrmTransaction } from "../orm.ts";

interface Opened extends OpenedOrm {
  mikro: MikroORM;
}

const Order = new EntitySchema<{ id: number }>({
  name: "Order",
  tableName: "orders",
  properties: { id: { type: "integer", primary: true } },
});

export const orm: Orm = {
  name: "MikroORM",
  example: "mikro-orm.js",
  nests: true,
  waits: false,
  escapes: true,
  ownEnd: /^Transaction is already (?:committed|rolled back)/,
  async open(url): Promise<Opened> {
    const mikro = await MikroORM.init({ clientUrl: url, entities: [Order], pool: { max: 20 } });
    return {
      mikro,
      transaction: (run) => mikro.em.fork().transactional((em) => run(describe(em))),
      close: () => mikro.close(),
    };
  },
  wrong: (opened) => ({
    "an entity manager by itself": {
      pass: (within) => within((opened as Opened).mikro.em.fork()),
      sentence: /This is of MikroORM: pass \{ execute \} on the em of em\.transactional/,
    },
  }),
  settings: {},
};

/** As in the example. */
function executorOn(em: EntityManager): Executor {
  return {
    execute(sql, values) {
      const isQuery = /^(?:\/\*.*?\*\/ )*SELECT/.test(sql);
      return em.execute(sql, [...values], isQuery ? "all" : "run");
    },
  };
}

function describe(em: EntityManager): OrmTransaction {
  return {
    executor: executorOn(em),
    run: (text) => em.execute(text),
    nested: (run) => em.transactional((inner) => run(describe(inner))),
  };
}
