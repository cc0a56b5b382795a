import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { answerAlike, answerAsTable, assertAlike } from "../../support/answering-alike.ts";
import { database, databaseSuite, hostilePool, mysqlBy } from "../../support/mysql.ts";
import { testsOn } from "../../support/suite.ts";

const started = await database();
databaseSuite({ name: "memory and mysql answer alike", atOnce: 3 }, started, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  define("for random sequences of operations, by a URL", () => answerAlike(server));

  define("for random writes to few names, and like a table", () => answerAsTable(server));

  // The way to the rows is the only difference to a URL's.
  test("for random sequences of operations, on a given pool", async (opened) => {
    await assertAlike(opened.storage, 15);
  });

  test("on a caller's pool with every option and session variable against us", async ({ url }) => {
    const pool = hostilePool(url);
    await assertAlike(mysqlStorage(pool), 15);
    await pool.end();
  });
});
