/**
 * What a single MariaDB does not show: `npm run long -- cluster`, on three nodes of Galera and on the newest MySQL that Debian has.
 * Fetches both and starts them by itself. Ends with `N passed, N failed`, and says loudly which of them cannot be had.
 */
import assert from "node:assert/strict";
import { storageContract } from "../../adapters/storage-contract/index.ts";
import { openForContract } from "../support/mysql.ts";
import { leaveOut, suite, type Test } from "../support/suite.ts";
import { askAtOnce, askBehind } from "./causality.ts";
import { startGalera } from "./galera.ts";
import { killNode } from "./kill-node.ts";
import { migrateAtOnce } from "./migrations.ts";
import { startMysql } from "./mysql.ts";
import { writeEverywhere } from "./write-everywhere.ts";

/** A suite that needs the server; left out, loudly, where there is none. */
function suiteOn<Started extends object>(
  name: string,
  server: Started | { unavailable: string },
  define: (test: Test, server: Started) => void,
): void {
  if (!("unavailable" in server)) return suite(name, (test) => define(test, server));
  leaveOut();
  process.once("exit", () => console.log(`${name.toUpperCase()} NOT TESTED: ${server.unavailable}`));
}

// Both before the first suite: one that is defined after a pause starts a run of its own.
const [mysql, galera] = await Promise.all([startMysql(), startGalera()]);

suiteOn("MySQL 9.7", mysql, (test, database) => {
  storageContract(test, () => openForContract(database));
  test("three processes migrate an empty schema at once", () =>
    migrateAtOnce(async () => [await database.createDatabase()]));
});

suiteOn("Galera", galera, (test, cluster) => {
  storageContract(test, () => openForContract(cluster.database));
  test("three processes migrate an empty schema through three nodes at once", () =>
    migrateAtOnce(async () => cluster.urlsOf(await cluster.database.createDatabase())));
  test("a contact and a key made through one node are waited for by another that cannot have them yet", () =>
    askBehind(cluster));
  test("a contact and a key made through one node are found at once through another, whatever is asked", () =>
    askAtOnce(cluster));
  test("orders and their events of callers' transactions through three nodes exist both or neither", () =>
    writeEverywhere(cluster, { callers: 6, managed: 6, keyedSenders: 2, posters: 2 }));
  test("events through three nodes are counted once and announce each item once", () =>
    writeEverywhere(cluster, { senders: 40, posters: 30 }));
  test("a node is killed under load and joins again, and every node holds what was answered", async () => {
    // Nodes of its own: a copy of the tables of all tests takes so long that the node which is copied takes 20 GB meanwhile.
    const few = await startGalera();
    assert.ok(!("unavailable" in few));
    try {
      const { statuses } = await killNode(few);
      console.log(`a node killed: ${JSON.stringify(statuses)}`);
    } finally {
      await few.stop();
    }
  });
});
