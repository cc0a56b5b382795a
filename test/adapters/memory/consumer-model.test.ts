import fc from "fast-check";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { assertHandledInOrder } from "../../support/consumer-model.ts";
import { suite } from "../../support/suite.ts";

suite({ name: "consumers on memory", atOnce: 2 }, (test) => {
  for (const transaction of [false, true]) {
    const kind = transaction ? "in transactions" : "without transactions";
    test(`each contact's changes are handled in order, whatever fails and is deleted, ${kind}`, async () => {
      const property = fc.asyncProperty(
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        async (stream) => {
          const storage = memoryStorage();
          const random = (): number => stream.next().value as number;
          await assertHandledInOrder(() => storage, { contacts: 12, updates: 150, random, transaction });
        },
      );
      await fc.assert(property, { numRuns: 3 });
    });
  }
});
