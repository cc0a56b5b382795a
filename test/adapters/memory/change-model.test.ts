import assert from "node:assert/strict";
import fc from "fast-check";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { assertOneOrder, randomWrites } from "../../support/change-model.ts";
import { suite } from "../../support/suite.ts";

suite("the order of changes on memory", (test) => {
  test("all readers see the order of the commits, whatever is written and in whichever transaction", async () => {
    const property = fc.asyncProperty(randomWrites, async (writes) => {
      const storage = memoryStorage();
      const begin = async () => {
        const transaction = storage.begin();
        return { transaction, commit: () => transaction.commit(), rollback: () => transaction.rollback() };
      };
      const { logged, committed } = await assertOneOrder({ storage, begin, dispose: async () => {} }, writes);
      assert.deepEqual(logged, committed);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
