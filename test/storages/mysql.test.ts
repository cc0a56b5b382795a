import { storageContract } from "../../adapters/storage-contract.ts";
import { database, databaseSuite, openForContract } from "../support/mysql.ts";

databaseSuite("mysql storage", await database(), (test, server) =>
  storageContract(test, () => openForContract(server)),
);
