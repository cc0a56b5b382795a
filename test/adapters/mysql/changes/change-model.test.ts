import fc from "fast-check";
import { assertOneOrder, randomWrites } from "../../../support/change-model.ts";
import { database, databaseSuite, openForContract } from "../../../support/mysql.ts";

databaseSuite("the order of changes on mysql", await database(), (test, server) => {
  test("all readers see the order of the commits, whatever is written and in whichever transaction", async () => {
    const property = fc.asyncProperty(randomWrites, async (writes) => {
      const opened = await openForContract(server, { byUrl: true });
      try {
        await assertOneOrder(opened, writes);
      } finally {
        await opened.storage.close();
        await opened.dispose();
      }
    });
    await fc.assert(property, { numRuns: 20 });
  });
});
