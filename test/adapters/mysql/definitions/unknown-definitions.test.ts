import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { unknownDefinitions } from "../../../support/unknown-definitions.ts";

databaseSuite("definitions of a later version on mysql", await database(), (test, server) => {
  const onMysql = mysqlBy(server);
  unknownDefinitions(test, (use) => onMysql(({ storage }) => use(storage)));
});
