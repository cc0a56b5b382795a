import { database, databaseSuite, openMysql } from "../../support/mysql.ts";
import { visitorCases } from "./cases.ts";
import { visitsTo } from "./door.ts";

databaseSuite({ name: "visitors, on mysql", atOnce: 4 }, await database(), (test, server) =>
  visitorCases(
    test,
    visitsTo(() => openMysql(server)),
  ),
);
