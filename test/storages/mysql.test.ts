import { storageContract } from "../../adapters/storage-contract.ts";
import { database, openForContract } from "../support/mysql.ts";
import { suite } from "../support/suite.ts";

const server = await database();

suite("mysql storage", (test) => {
  if (server) storageContract(test, () => openForContract(server));
});
