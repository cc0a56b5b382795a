import fc from "fast-check";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { assertNoticed } from "../../../support/notice-model.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";

databaseSuite("watched audiences on mysql", await database(), (test, server) => {
  const onMysql = mysqlBy(server);
  test("announce the differences of a recount, whatever is written, swept, killed and defined anew", async () => {
    const property = fc.asyncProperty(fc.infiniteStream(fc.nat(999_999)), async (stream) => {
      const random = (): number => (stream.next().value as number) / 1_000_000;
      await onMysql(({ storage, url }) =>
        assertNoticed({ storage, openAnother: () => mysqlStorage(url), operations: 100, random }),
      );
    });
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  });
});
