import { Sequelize, type Transaction } from "sequelize";
import type { Executor } from "whodid/mysql";
import type { OpenedOrm, Orm, OrmTransaction } from "../orm.ts";

interface Opened extends OpenedOrm {
  sequelize: Sequelize;
}

export const orm: Orm = {
  name: "Sequelize",
  example: "sequelize.js",
  nests: true,
  waits: false,
  escapes: true,
  ownEnd: /has been called on this transaction/,
  async open(url): Promise<Opened> {
    const sequelize = new Sequelize(url, { logging: false, pool: { max: 20 } });
    return {
      sequelize,
      transaction: (run) => sequelize.transaction((transaction) => run(describe(sequelize, transaction))),
      close: () => sequelize.close(),
    };
  },
  wrong: (opened) => {
    const { sequelize } = opened as Opened;
    const sentence = /This is .*Sequelize.*: pass \{ execute \} with .*transaction/;
    return {
      "Sequelize itself": { pass: (within) => within(sequelize), sentence },
      "a transaction by itself": {
        pass: (within) => sequelize.transaction(async (transaction) => void within(transaction)),
        sentence,
      },
    };
  },
  settings: {},
};

/** As in the example. */
function executorOn(sequelize: Sequelize, transaction: Transaction): Executor {
  return {
    async execute(sql, values) {
      const options = values.length > 0 ? { transaction, replacements: [...values] } : { transaction };
      const [answer] = await sequelize.query(sql, options);
      return answer as Awaited<ReturnType<Executor["execute"]>>;
    },
  };
}

function describe(sequelize: Sequelize, transaction: Transaction): OrmTransaction {
  return {
    executor: executorOn(sequelize, transaction),
    run: (text) => sequelize.query(text, { transaction }),
    nested: (run) => sequelize.transaction({ transaction }, (inner) => run(describe(sequelize, inner))),
  };
}
