import assert from "node:assert/strict";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { accepted, recordEvent } from "../../../../adapters/storage-contract/calls.ts";
import { at, audienceDraft, subscriptionDraft } from "../../../../adapters/storage-contract/drafts.ts";
import { beginAll, create, noticed, sweepAll, watchDoers } from "../../../../adapters/storage-contract/watching.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { database, databaseSuite, mysqlBy, otherConnections } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

databaseSuite("watched audiences in the tables of mysql", await database(), (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("a process that does not know an audience of a subscription yet leaves its writes to a sweep", async (opened) => {
    const { storage, pool } = opened;
    const other = mysqlStorage(pool);
    await create(storage, "ada");
    await watchDoers(storage);
    // Caches the subscription for a while.
    await recordEvent(other, { eventKey: "other" });
    const rule = { kind: "has_done", eventKey: "late" } as const;
    accepted(await storage.putDefinition(audienceDraft({ key: "late", rule })));
    const on = { audiences: ["doers", "late"] };
    accepted(await storage.putDefinition(subscriptionDraft({ key: "watch", on })));
    await beginAll(storage);
    await recordEvent(other, { eventKey: "late" });
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
  });

  test("a first pass that is killed before its changes are written announces each member once", async (opened) => {
    const { storage, pool, url } = opened;
    const locking = await pool.getConnection();
    await create(storage, "ada", "bob");
    accepted(await storage.putDefinition(audienceDraft({ rule: { kind: "has_not_done", eventKey: "step" } })));
    const on = { audiences: ["doers"] };
    accepted(await storage.putDefinition(subscriptionDraft({ key: "watch", on, current: "announce" })));
    await locking.query("LOCK TABLES whodid_outbox WRITE");
    const passed = beginAll(storage);
    for (let kills = 0; kills < 2; await sleep(10)) {
      const connections = await otherConnections(pool, url);
      for (const { id } of connections.filter(({ statement }) => statement.includes("insertChanges"))) {
        await pool.query(`KILL ${id}`);
        kills++;
      }
    }
    await locking.query("UNLOCK TABLES");
    await passed;
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_entered bob"]);
  });
});
