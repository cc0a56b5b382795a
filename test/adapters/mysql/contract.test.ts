import { storageContract } from "../../../adapters/storage-contract/index.ts";
import { database, databaseSuite, openForContract } from "../../support/mysql.ts";

databaseSuite("mysql storage", await database(), (test, server) =>
  storageContract(test, () => openForContract(server)),
);
