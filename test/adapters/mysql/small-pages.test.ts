import { database, databaseSuite, openMysql } from "../../support/mysql.ts";
import { smallPages } from "../../support/small-pages.ts";

databaseSuite("small pages on MySQL", await database(), (test, server) => {
  smallPages(test, async (run) => {
    const { storage, dispose } = await openMysql(server);
    try {
      await run(storage);
    } finally {
      await dispose();
    }
  });
});
