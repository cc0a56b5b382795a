/**
 * The transaction part of the storage contract on MariaDB, what is each ORM's own there and on MySQL, apps that are killed, and writers
 * that meet each other on Galera. Arguments choose ORMs by their names, or `Galera`.
 */
import { transactionContract } from "../../adapters/storage-contract/index.ts";
import { startGalera } from "../cluster/galera.ts";
import { startMysql } from "../cluster/mysql.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { withoutSync } from "../support/disk.ts";
import { leaveOut, suite } from "../support/suite.ts";
import { orderOnAllNodes } from "./conflicts.ts";
import { openThrough } from "./contract.ts";
import { installedOrms } from "./installs.ts";
import { killAgainAndAgain, kills } from "./kills.ts";
import { own } from "./own.ts";

const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const orms = await installedOrms();
// All before the first suite: one that is defined after a pause starts a run of its own.
const servers: Record<string, Database | { unavailable: string }> = {
  MariaDB: await startDatabase({ serverArguments: withoutSync }),
  MySQL: await startMysql(withoutSync),
};
const galera = isWanted("Galera") ? await startGalera(withoutSync) : null;

for (const [server, database] of Object.entries(servers)) {
  if ("unavailable" in database) leaveOutServer(server, database);
}
if (galera && "unavailable" in galera) leaveOutServer("Galera", galera);
for (const [server, database] of Object.entries(servers)) {
  if ("unavailable" in database) continue;
  for (const orm of orms.filter(({ name }) => isWanted(name))) {
    suite({ name: `${orm.name} on ${server}`, atOnce: 8 }, (test) => {
      // The way through an ORM is the same to each server, and the contract runs on MySQL without one: `long -- cluster`.
      if (server === "MariaDB") {
        transactionContract(
          (name, run) => {
            const isOtherwise = orm.ownEnd && name.includes("a transaction is transaction_required");
            if (!isOtherwise) test(name, run);
          },
          () => openThrough(orm, database),
        );
      }
      own((subject, name, run) => test(`${subject}: ${name}`, run), orm, database);
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
if (galera && !("unavailable" in galera)) {
  suite("an order and its event on three nodes", (test) => {
    for (const name of ["tracker.transaction", "mysql2", "Drizzle", "Knex"]) {
      test(`exist both or neither with ${name}, whoever the writers meet`, () => orderOnAllNodes(name, galera));
    }
  });
}

function leaveOutServer(name: string, { unavailable }: { unavailable: string }): void {
  leaveOut();
  process.once("exit", () => console.log(`${name.toUpperCase()} NOT TESTED: ${unavailable}`));
}
