import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { answerAlike, answerAsTable, assertAlike } from "../../support/answering-alike.ts";
import { database, databaseSuite, hostilePool, openMysql } from "../../support/mysql.ts";

const started = await database();
databaseSuite({ name: "memory and mysql answer alike", atOnce: 3 }, started, (test, server) => {
  test("for random sequences of operations, by a URL", () => answerAlike(server));

  test("for random writes to few names, and like a table", () => answerAsTable(server));

  test("for random sequences of operations, on a given pool", async () => {
    const opened = await openMysql(server);
    try {
      await assertAlike(opened.storage, 50);
    } finally {
      await opened.dispose();
    }
  });

  test("on a caller's pool with every option and session variable against us", async () => {
    const opened = await openMysql(server);
    const pool = hostilePool(opened.url);
    try {
      await assertAlike(mysqlStorage(pool), 30);
    } finally {
      await pool.end();
      await opened.dispose();
    }
  });
});
