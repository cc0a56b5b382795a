import { database, databaseSuite, openMysql } from "../support/mysql.ts";
import { httpCases } from "./cases.ts";
import { openOverSocket } from "./socket-door.ts";

databaseSuite("http over a socket, on mysql", await database(), (test, server) =>
  httpCases(
    test,
    openOverSocket(() => openMysql(server)),
  ),
);
