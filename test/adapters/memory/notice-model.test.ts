import fc from "fast-check";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { assertNoticed } from "../../support/notice-model.ts";
import { suite } from "../../support/suite.ts";

suite("watched audiences on memory", (test) => {
  test("announce the differences of a recount, whatever is written, swept and defined anew", async () => {
    const property = fc.asyncProperty(fc.infiniteStream(fc.nat(999_999)), async (stream) => {
      const random = (): number => (stream.next().value as number) / 1_000_000;
      await assertNoticed({ storage: memoryStorage(), openAnother: null, operations: 150, random });
    });
    await fc.assert(property, { numRuns: 30 });
  });
});
