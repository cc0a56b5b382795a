import { database, databaseSuite, mysqlBy } from "../../support/mysql.ts";
import { smallPages } from "../../support/small-pages.ts";

databaseSuite("small pages on MySQL", await database(), (test, server) => {
  const onMysql = mysqlBy(server);
  smallPages(test, (run) => onMysql(({ storage }) => run(storage)));
});
