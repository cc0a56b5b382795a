import assert from "node:assert/strict";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { eventDraft, idAt } from "../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../lib/index.ts";
import { database, databaseSuite } from "../support/mysql.ts";
import { runCommand } from "../support/server-process.ts";

databaseSuite("the command prune", await database(), (test, { createDatabase }) => {
  test("removes the events from before a day, prints their number, and needs the day", async () => {
    const DATABASE_URL = await createDatabase();
    const storage = mysqlStorage(DATABASE_URL);
    await storage.migrate();
    const tracker = createTracker({ storage });
    try {
      await tracker.contacts.upsert({ email: "ada@example.com" });
      for (const createdAt of ["2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z"].map(Date.parse)) {
        const times = { createdAt, recordedAt: createdAt };
        await storage.recordEvents([eventDraft({ workspace: "default", id: idAt(createdAt), ...times })]);
      }
      const prune = (...args: string[]) => runCommand(["prune", ...args], { DATABASE_URL });
      const done = await prune("--before", "2026-01-01");
      assert.deepEqual([done.stdout, done.stderr, done.exitCode], ["removed 1 events\n", "", 0]);
      assert.equal((await prune("--before", "2026-01-01", "--json")).stdout, '{"pruned":0}\n');
      const [left, ...others] = (await tracker.events.list("ada@example.com")).items;
      assert.deepEqual([left?.createdAt, others], ["2026-01-01T00:00:00.000Z", []]);
      const later = await prune("--before", "9000-01-01");
      assert.equal(later.exitCode, 1);
      assert.match(later.stderr, /^whodid: .*before: .*later than now/);
      for (const wrong of [[], ["--before", "soon"], ["--before", "2026-01-01", "x"]]) {
        assert.equal((await prune(...wrong)).exitCode, 2);
      }
    } finally {
      await tracker.close();
    }
  });
});
