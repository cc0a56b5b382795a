import assert from "node:assert/strict";
import { upsert } from "../../../../adapters/storage-contract/calls.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";

databaseSuite("a server that refuses", await database(), (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  // 3, 126, 1034 and 1194 come from temporary tables, 1637 and 1878 from InnoDB's undo log and temporary files.
  for (const errno of [3, 126, 1021, 1034, 1114, 1194, 1637, 1878]) {
    test(`makes a write storage_unavailable when it answers ${errno}`, async ({ storage, pool }) => {
      await pool.query(`CREATE TRIGGER full BEFORE INSERT ON whodid_contacts FOR EACH ROW
          SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'Disk full'`);
      const refusal = await refusalOf(upsert(storage));
      assert.deepEqual([refusal.code, (refusal.cause as { errno?: number }).errno], ["storage_unavailable", errno]);
    });
  }

  test("says which right a user lacks, and that a database cannot be opened", async ({ storage, pool }) => {
    const said = {
      1044: /^There is no such database/,
      1049: /^There is no such database/,
      1142: /^The user lacks a right: .*CREATE VIEW and DROP/,
    };
    for (const [errno, message] of Object.entries(said)) {
      // MySQL has no CREATE OR REPLACE TRIGGER.
      await pool.query("DROP TRIGGER IF EXISTS refused");
      await pool.query(`CREATE TRIGGER refused BEFORE INSERT ON whodid_contacts FOR EACH ROW
          SIGNAL SQLSTATE '42000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'Refused'`);
      const refusal = await refusalOf(upsert(storage));
      assert.equal(refusal.code, "internal");
      assert.match(refusal.message, message);
    }
  });
});
