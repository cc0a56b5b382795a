/**
 * The transaction part of the storage contract, and what is each ORM's own, on MariaDB and MySQL. Ends with a table of them and
 * with `N passed, N failed`. Arguments choose ORMs by their names.
 */
import { join } from "node:path";
import { transactionContract } from "../../adapters/storage-contract/index.ts";
import { startMysql } from "../cluster/mysql.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { leaveOut, suite } from "../support/suite.ts";
import { openThrough } from "./contract.ts";
import { installs } from "./installs.ts";
import { killAgainAndAgain, kills } from "./kills.ts";
import type { Orm } from "./orm.ts";
import { own } from "./own.ts";
import { noteServer, printTable, recorded } from "./table.ts";

const wanted = process.argv.slice(2);
const { orms } = (await import(join(installs, "out/apps/index.js"))) as { orms: Orm[] };
// Both before the first suite: one that is defined after a pause starts a run of its own.
const servers: Record<string, Database | { unavailable: string }> = {
  MariaDB: await startDatabase(),
  MySQL: await startMysql(),
};

for (const [server, database] of Object.entries(servers)) {
  if ("unavailable" in database) {
    leaveOut();
    process.once("exit", () => console.log(`${server.toUpperCase()} NOT TESTED: ${database.unavailable}`));
    continue;
  }
  await noteServer(server, database);
}
for (const [server, database] of Object.entries(servers)) {
  if ("unavailable" in database) continue;
  for (const orm of orms.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    suite({ name: `${orm.name} on ${server}`, atOnce: 12 }, (test) => {
      const record = recorded(test, orm, server);
      transactionContract(
        (name, run) => {
          const isOtherwise = orm.ownEnd && name.includes("a transaction rejects with transaction_required");
          if (!isOtherwise) record("contract", name, run);
        },
        () => openThrough(orm, database),
      );
      own(record, orm, database);
    });
  }
}
const { MariaDB } = servers;
if (wanted.length === 0 && MariaDB && !("unavailable" in MariaDB)) {
  suite({ name: "an app that is killed", atOnce: 3 }, (test) => {
    for (const name of ["mysql2", "Drizzle", "Knex"]) {
      test(`${kills} times with ${name} leaves each order with its event, and no event without its order`, () =>
        killAgainAndAgain(name, MariaDB));
    }
  });
}
// Before the line of counts.
process.prependOnceListener("exit", () => printTable(orms));
