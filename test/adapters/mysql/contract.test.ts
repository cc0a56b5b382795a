import { acknowledgedInTransactions, consumersEnd, leases } from "../../../adapters/storage-contract/consumers.ts";
import {
  expiredChanges,
  parkedContacts,
  waitingContacts,
} from "../../../adapters/storage-contract/waiting-contacts.ts";
import { storageContract } from "../../../adapters/storage-contract/index.ts";
import { database, databaseSuite, openForContract } from "../../support/mysql.ts";

// This adapter has no consumers.
const leftOut = new Set<string>();
for (const tests of [
  leases,
  acknowledgedInTransactions,
  waitingContacts,
  parkedContacts,
  expiredChanges,
  consumersEnd,
]) {
  tests((name) => leftOut.add(name));
}

databaseSuite({ name: "mysql storage", atOnce: 4 }, await database(), (test, server) =>
  storageContract(
    (name, run) => {
      if (!leftOut.has(name)) test(name, run);
    },
    () => openForContract(server),
  ),
);
