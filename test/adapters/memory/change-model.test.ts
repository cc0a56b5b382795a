import fc from "fast-check";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { assertOneOrder, type RandomWrite } from "../../support/change-model.ts";
import { suite } from "../../support/suite.ts";

const number = fc.nat(2);
const write: fc.Arbitrary<RandomWrite> = fc.record({
  contact: fc.nat(4),
  transaction: fc.option(number),
  end: fc.option(fc.record({ transaction: number, commits: fc.boolean() })),
});

suite("the order of changes on memory", (test) => {
  test("all readers see the order of the commits, whatever is written and in whichever transaction", async () => {
    const property = fc.asyncProperty(fc.array(write, { minLength: 10, maxLength: 40 }), async (writes) => {
      const storage = memoryStorage();
      const begin = async () => {
        const transaction = storage.begin();
        return { transaction, commit: () => transaction.commit(), rollback: () => transaction.rollback() };
      };
      await assertOneOrder({ storage, begin, dispose: async () => {} }, writes);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
