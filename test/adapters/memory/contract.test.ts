import { memoryStorage } from "../../../adapters/memory/index.ts";
import { storageContract } from "../../../adapters/storage-contract/index.ts";
import { suite } from "../../support/suite.ts";

suite({ name: "memory storage", atOnce: 4 }, (test) =>
  storageContract(test, async () => {
    const storage = memoryStorage();
    return {
      storage,
      async begin() {
        const transaction = storage.begin();
        return { transaction, commit: () => transaction.commit(), rollback: () => transaction.rollback() };
      },
      async dispose() {},
    };
  }),
);
