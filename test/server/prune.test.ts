import assert from "node:assert/strict";
import { eventDraft, idAt } from "../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../lib/index.ts";
import { callCommand } from "../support/call-command.ts";
import { database, databaseSuite, mysqlBy } from "../support/mysql.ts";
import { testsOn } from "../support/suite.ts";

databaseSuite("the command prune", await database(), (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("removes the events from before a day, prints their number, and needs the day and --yes", async (opened) => {
    const { url: DATABASE_URL, storage } = opened;
    const tracker = createTracker({ storage });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    for (const createdAt of ["2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z"].map(Date.parse)) {
      const times = { createdAt, recordedAt: createdAt };
      await storage.recordEvents([eventDraft({ workspace: "default", id: idAt(createdAt), ...times })]);
    }
    const prune = (...args: string[]) => callCommand(["prune", ...args], { DATABASE_URL });
    await tracker.events.track({
      externalId: "ada@example.com",
      eventKey: "late",
      createdAt: "2025-01-31T00:00:00Z",
    });
    const day = ["--before", "2026-01-01"];
    const recent = "1 more were recorded less than an hour ago and stay until a later prune\n";
    const toRemove = `to remove 1 events from before 2026-01-01T00:00:00.000Z\n${recent}`;
    const dry = await prune(...day, "--dry-run");
    assert.deepEqual([dry.stdout, dry.stderr, dry.exitCode], [toRemove, "", 0]);
    const unsure = await prune(...day);
    const needsYes =
      "whodid: Nothing was removed: prune needs --yes. It also refuses earlier events from then on, for good.\n";
    assert.deepEqual([unsure.stdout, unsure.stderr, unsure.exitCode], [toRemove, needsYes, 1]);
    assert.equal((await prune(...day, "--dry-run", "--json")).stdout, '{"toPrune":1,"recent":1}\n');
    const done = await prune(...day, "--yes");
    const removed = `removed 1 events from before 2026-01-01T00:00:00.000Z\n${recent}`;
    assert.deepEqual([done.stdout, done.stderr, done.exitCode], [removed, "", 0]);
    assert.equal((await prune(...day, "--yes", "--json")).stdout, '{"pruned":0,"recent":1}\n');
    const left = (await tracker.events.list("ada@example.com")).items.map(({ createdAt }) => createdAt);
    assert.deepEqual(left, ["2026-01-01T00:00:00.000Z", "2025-01-31T00:00:00.000Z"]);
    const later = await prune("--before", "9000-01-01", "--yes");
    assert.equal(later.exitCode, 1);
    assert.match(later.stderr, /^whodid: .*before: .*later than now/);
    for (const wrong of [[], ["--before", "soon"], [...day, "x"], [...day, "--dry-run", "--yes"]]) {
      assert.equal((await prune(...wrong)).exitCode, 2);
    }
  });
});
