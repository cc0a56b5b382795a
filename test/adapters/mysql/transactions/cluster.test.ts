import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createPool, type Pool, type QueryError, type QueryOptions, type ResultSetHeader } from "mysql2";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { recordEvent } from "../../../../adapters/storage-contract/calls.ts";
import { start } from "../../../../adapters/storage-contract/pending.ts";
import { contactDraft, eventDraft, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { countRows, proxiedBy } from "../../../support/proxied.ts";

type Answer = (error: QueryError | null, header: unknown) => void;

const server = await database();

/** A pool whose first statement of this text is rolled back after it, and answered with OK and the status after that. */
function rollingBackAfter(of: string, url: string): { pool: Pool; rolledBack(): boolean } {
  const pool = createPool(url);
  let isDone = false;
  pool.on("connection", (connection) => {
    const execute = connection.execute.bind(connection) as (options: QueryOptions, answer: Answer) => unknown;
    connection.execute = ((options: QueryOptions, answer: Answer) =>
      execute(options, (error, header) => {
        if (isDone || !options.sql.includes(of)) return answer(error, header);
        isDone = true;
        connection.query<ResultSetHeader>("ROLLBACK", (_, { serverStatus }) =>
          answer(null, { ...(header as ResultSetHeader), serverStatus }),
        );
      })) as never;
  });
  return { pool, rolledBack: () => isDone };
}

databaseSuite("what a member of a cluster answers", server, (define) => {
  const test = testsOn(define, proxiedBy(server));
  test("a COMMIT that does not begin the next transaction leaves no batch to commit itself", async (opened) => {
    const { through, proxy } = opened;
    // No compound statement holds a transaction on a node of Galera.
    proxy.instead.push({ of: "wsrep_cluster_size", send: "SELECT 'wsrep_cluster_size', 3" });
    await through.upsertContacts([contactDraft()]);
    const contact = (await through.findContact(workspace, { externalId: "ada@example.com" }))!;
    const event = eventDraft();
    proxy.instead.push({ of: "COMMIT AND CHAIN", send: "COMMIT" });
    await through.recordEvents([event]);
    assert.deepEqual(proxy.instead, []);
    // A batch asked for at once would go on another connection.
    await pause(10);
    // The event's id is met after it was counted, which is then undone.
    await through.recordEvents([event]);
    const [summary] = await through.findSummaries(workspace, contact.id);
    assert.deepEqual([summary?.count, await countRows(opened, "events")], [1, 1]);
  });

  for (const errno of [1213, 1180, 1030, 3101]) {
    test(`a statement that is answered ${errno} is tried again in a new transaction`, async (opened) => {
      const { through, proxy } = opened;
      await through.upsertContacts([contactDraft()]);
      const contact = (await through.findContact(workspace, { externalId: "ada@example.com" }))!;
      proxy.instead.push({ of: "INSERT INTO whodid_events", send: "ROLLBACK", errno });
      assert.equal((await recordEvent(through)).contactId, contact.id);
      const [summary] = await through.findSummaries(workspace, contact.id);
      assert.deepEqual([summary?.count, await countRows(opened, "events"), proxy.instead], [1, 1, []]);
    });
  }

  for (const of of ["INSERT INTO whodid_summaries", "INSERT INTO whodid_events"]) {
    test(`a batch whose ${of} is answered with OK and rolled back is written again, once`, async (opened) => {
      await opened.storage.upsertContacts([contactDraft()]);
      const contact = (await opened.storage.findContact(workspace, { externalId: "ada@example.com" }))!;
      const { pool, rolledBack } = rollingBackAfter(of, opened.url);
      assert.equal((await recordEvent(mysqlStorage(pool))).contactId, contact.id);
      await pool.promise().end();
      const [summary] = await opened.storage.findSummaries(workspace, contact.id);
      assert.deepEqual([summary?.count, await countRows(opened, "events"), rolledBack()], [1, 1, true]);
    });
  }

  test("a COMMIT that is answered 3101 has not taken effect: of two deletions one has the receipt", async (opened) => {
    const { through, storage, proxy } = opened;
    await through.upsertContacts([contactDraft()]);
    await through.recordEvents([eventDraft()]);
    proxy.instead.push({ of: "COMMIT", send: "ROLLBACK", errno: 3101 });
    const remove = async (by: Storage): Promise<number> => {
      const answer = await by.deleteContact(workspace, "ada@example.com", 0);
      return "events" in answer ? answer.events : 0;
    };
    const first = start(remove(through));
    while (proxy.instead.length > 0) await pause(1);
    // What it lost against.
    proxy.freeze();
    const other = remove(storage);
    await Promise.race([other, pause(1_000)]);
    proxy.thaw();
    const [one, two] = await Promise.all([first.result, other]);
    assert.equal(one + two, 1);
  });

  for (const fate of ["COMMIT", "ROLLBACK"]) {
    test(`a COMMIT that is answered 1180 after a ${fate} is settled by what is there`, async (opened) => {
      const { through, proxy } = opened;
      await through.upsertContacts([contactDraft()]);
      proxy.instead.push({ of: "COMMIT", send: fate, errno: 1180 });
      await through.recordEvents([eventDraft()]);
      assert.deepEqual([await countRows(opened, "events"), proxy.instead], [1, []]);
    });
  }
});
