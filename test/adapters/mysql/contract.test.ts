import { storageContract } from "../../../adapters/storage-contract/index.ts";
import { database, databaseSuite, openForContract } from "../../support/mysql.ts";

const server = await database();

databaseSuite({ name: "mysql storage on a given pool", atOnce: 4 }, server, (test, started) =>
  storageContract(test, () => openForContract(started)),
);

databaseSuite({ name: "mysql storage by a URL", atOnce: 4 }, server, (test, started) =>
  storageContract(test, () => openForContract(started, { byUrl: true })),
);
