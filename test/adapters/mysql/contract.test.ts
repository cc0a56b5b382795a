import { storageContract } from "../../../adapters/storage-contract/index.ts";
import { database, databaseSuite, openForContract } from "../../support/mysql.ts";

databaseSuite({ name: "mysql storage", atOnce: 4 }, await database(), (test, server) =>
  storageContract(test, () => openForContract(server)),
);
