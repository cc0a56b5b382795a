import fc from "fast-check";
import { assertHandledInOrder } from "../../../support/consumer-model.ts";
import { database, databaseSuite, openForContract } from "../../../support/mysql.ts";

databaseSuite({ name: "consumers on mysql", atOnce: 2 }, await database(), (test, server) => {
  for (const transaction of [false, true]) {
    const kind = transaction ? "in transactions" : "without transactions";
    test(`each contact's changes are handled in order, whatever fails and is deleted, ${kind}`, async () => {
      const property = fc.asyncProperty(
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        async (stream) => {
          const opened = await openForContract(server, { byUrl: true });
          const random = (): number => stream.next().value as number;
          try {
            await assertHandledInOrder(() => opened.storage, { contacts: 12, updates: 150, random, transaction });
          } finally {
            await opened.storage.close();
            await opened.dispose();
          }
        },
      );
      await fc.assert(property, { numRuns: 2 });
    });
  }
});
