/**
 * What a single MariaDB does not show: `npm run long -- cluster`, on three nodes of Galera and on the newest MySQL that Debian has.
 * `npm run long -- cluster mysql` and `-- cluster galera` run one half. `-- cluster history [MINUTES] [seed=NUMBER]` runs the calls
 * of every method on Galera alone, and `-- cluster consumers` the consumers.
 * Fetches both and starts them by itself. Ends with `N passed, N failed`, and says loudly which of them cannot be had.
 */
import assert from "node:assert/strict";
import { storageContract } from "../../adapters/storage-contract/index.ts";
import { answerAlike, answerAsTable } from "../support/answering-alike.ts";
import { withoutSync } from "../support/disk.ts";
import { lateWriteCases } from "../support/late-writes.ts";
import { openForContract } from "../support/mysql.ts";
import { plainSqlCases } from "../support/plain-sql.ts";
import { roundTripCases } from "../support/round-trips.ts";
import { leaveOut, suite, type Test } from "../support/suite.ts";
import { askAtOnce, askBehind } from "./causality.ts";
import { handleThroughNodes } from "./consumers.ts";
import { startGalera, type Galera } from "./galera.ts";
import { callEverything } from "./history.ts";
import { sendHostileTexts } from "./injection.ts";
import { migrateAtOnce } from "./migrations.ts";
import { startMysql } from "./mysql.ts";
import { repeatEverywhere } from "./replays.ts";

/** A suite that needs the server; left out, loudly, where there is none. None with `null`. */
function suiteOn<Started extends object>(
  name: string,
  server: Started | { unavailable: string } | null,
  define: (test: Test, server: Started) => void,
  atOnce = 1,
): void {
  if (server === null) return;
  if (!("unavailable" in server)) return suite({ name, atOnce }, (test) => define(test, server));
  leaveOut();
  process.once("exit", () => console.log(`${name.toUpperCase()} NOT TESTED: ${server.unavailable}`));
}

let emptied: Promise<Galera> | null = null;

/**
 * Runs on nodes with few tables, which are started instead of the given ones and stay for the next test. A node whose commits are
 * held up can take 10 GB within a minute: while it is copied, which takes long if it has the tables of all tests, and once in
 * three while many wrote after the contract.
 */
async function onFewTables(used: Galera, run: (galera: Galera) => Promise<void>): Promise<void> {
  emptied ??= used.stop().then(async () => {
    const started = await startGalera(withoutSync, { losesNodes: true });
    assert.ok(!("unavailable" in started));
    return started;
  });
  await run(await emptied);
}

const alone = process.argv[2];

// Both before the first suite: one that is defined after a pause starts a run of its own.
const [mysql, galera] = await Promise.all([
  alone === undefined || alone === "mysql" ? startMysql(withoutSync) : null,
  alone === "mysql" ? null : startGalera(withoutSync, { losesNodes: alone === "history" || alone === "consumers" }),
]);

suiteOn("MySQL 9.7", mysql, (test, database) => {
  test("three processes migrate an empty schema at once", () =>
    migrateAtOnce(async () => [await database.createDatabase()]));
  test("answers random sequences of operations on a given pool like memory", () => answerAlike(database, "pool"));
  plainSqlCases(test, database);
});
suiteOn(
  "the contract on MySQL 9.7 by a URL",
  mysql,
  (test, database) => storageContract(test, () => openForContract(database, { byUrl: true })),
  4,
);
suiteOn("MySQL 9.7 by a URL", mysql, (test, database) => {
  test("answers random sequences of operations like memory", () => answerAlike(database));
  test("answers random writes to few names like a table", () => answerAsTable(database));
  for (const sqlMode of ["STRICT_TRANS_TABLES", "NO_BACKSLASH_ESCAPES,ANSI_QUOTES"])
    test(`returns hostile texts as they were sent, with the sql_mode ${sqlMode}`, () =>
      sendHostileTexts(database, sqlMode));
});
suiteOn("statements in one round trip to MySQL 9.7", mysql, roundTripCases);
suiteOn("late writes to MySQL 9.7", mysql, lateWriteCases, 3);

/** Ends in `transaction_lost` on Galera, like every call inside that fails after its first write. The library sends no id twice. */
const lostOnGalera = "an event inside is answered by its id as recorded since the transaction began";

const everyMethod =
  "calls of every method through three nodes are as they were answered while clients and a node are killed";
const everyChange =
  "changes are handled once and in order through three nodes while writers, consumers and a node are killed";

// Before the contract: after it a node can take 15 GB while many write.
if (alone === undefined || alone === "galera") {
  suiteOn("Galera", galera, (test, cluster) => {
    test("three processes migrate an empty schema through three nodes at once", () =>
      migrateAtOnce(async () => cluster.urlsOf(await cluster.database.createDatabase())));
    test("a contact and a key made through one node are waited for by another that cannot have them yet", () =>
      askBehind(cluster));
    test("a contact and a key made through one node are found at once through another, whatever is asked", () =>
      askAtOnce(cluster));
    test("random writes to few names through nodes that wait for the others are answered like a table", async () => {
      await cluster.onEach("SET GLOBAL wsrep_sync_wait = 1");
      await answerAsTable(cluster.database, cluster.urlsOf);
      await cluster.onEach("SET GLOBAL wsrep_sync_wait = 0");
    });
  });
  const defineContract = (test: Test, { database }: Galera): void =>
    storageContract(
      (name, run) => void (name === lostOnGalera || test(name, run)),
      () => openForContract(database),
    );
  // No more: each test ends with statements that all transactions wait for.
  suiteOn("the contract on Galera", galera, defineContract, 2);
}

suiteOn("Galera that loses nodes", galera, (test, cluster) => {
  if (alone === "history") return test(everyMethod, () => callEverything(cluster));
  if (alone === "consumers") return test(everyChange, () => handleThroughNodes(cluster));
  test("events that are repeated in transactions through three nodes stay counted once on every node", () =>
    onFewTables(cluster, repeatEverywhere));
  test(everyMethod, () => onFewTables(cluster, callEverything));
  test(everyChange, () => onFewTables(cluster, handleThroughNodes));
});
