import { causedChanges, changeLimits, changeOrder } from "../../../adapters/storage-contract/changes.ts";
import { storageContract } from "../../../adapters/storage-contract/index.ts";
import { database, databaseSuite, openForContract } from "../../support/mysql.ts";

// This adapter has no log of changes.
const leftOut = new Set<string>();
for (const tests of [causedChanges, changeOrder, changeLimits]) tests((name) => leftOut.add(name));

databaseSuite({ name: "mysql storage", atOnce: 4 }, await database(), (test, server) =>
  storageContract(
    (name, run) => {
      if (!leftOut.has(name)) test(name, run);
    },
    () => openForContract(server),
  ),
);
