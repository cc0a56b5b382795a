import { database, databaseSuite, openMysql } from "../support/mysql.ts";
import { storedCases } from "./cases.ts";
import { openOverSocket } from "./socket-door.ts";

databaseSuite({ name: "http over a socket, on mysql", atOnce: 4 }, await database(), (test, server) =>
  storedCases(
    test,
    openOverSocket(() => openMysql(server)),
  ),
);
