import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { start } from "../../../adapters/storage-contract/pending.ts";
import { contactDraft, eventDraft, workspace } from "../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { database, databaseSuite } from "../../support/mysql.ts";
import { countRows, proxiedBy } from "../../support/proxied.ts";

const server = await database();
const proxied = proxiedBy(server);

databaseSuite("what a member of a cluster answers", server, (test) => {
  test("a COMMIT that does not begin the next transaction leaves no batch to commit itself", () =>
    proxied(async (opened) => {
      const { through, proxy } = opened;
      await through.upsertContacts([contactDraft()]);
      const contact = (await through.findContact(workspace, "ada@example.com"))!;
      const event = eventDraft();
      proxy.instead.push({ of: "COMMIT AND CHAIN", send: "COMMIT" });
      await through.recordEvents([event]);
      assert.deepEqual(proxy.instead, []);
      // The event's id is met after it was counted, which is then undone.
      await through.recordEvents([event]);
      const [summary] = await through.findSummaries(workspace, contact.id);
      assert.deepEqual([summary?.count, await countRows(opened, "events")], [1, 1]);
    }));

  for (const errno of [1213, 1180, 1030, 3101]) {
    test(`a statement that is answered ${errno} is tried again in a new transaction`, () =>
      proxied(async (opened) => {
        const { through, proxy } = opened;
        await through.upsertContacts([contactDraft()]);
        const contact = (await through.findContact(workspace, "ada@example.com"))!;
        proxy.instead.push({ of: "INSERT INTO whodid_events", send: "ROLLBACK", errno });
        assert.equal((await through.recordEvents([eventDraft()]))[0]?.contactId, contact.id);
        const [summary] = await through.findSummaries(workspace, contact.id);
        assert.deepEqual([summary?.count, await countRows(opened, "events"), proxy.instead], [1, 1, []]);
      }));
  }

  test("a COMMIT that is answered 3101 has not taken effect: of two deletions one has the receipt", () =>
    proxied(async ({ through, storage, proxy }) => {
      await through.upsertContacts([contactDraft()]);
      await through.recordEvents([eventDraft()]);
      proxy.instead.push({ of: "COMMIT", send: "ROLLBACK", errno: 3101 });
      const remove = async (by: Storage): Promise<number> => {
        const answer = await by.deleteContact(workspace, "ada@example.com");
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
    }));

  for (const fate of ["COMMIT", "ROLLBACK"]) {
    test(`a COMMIT that is answered 1180 after a ${fate} is settled by what is there`, () =>
      proxied(async (opened) => {
        const { through, proxy } = opened;
        await through.upsertContacts([contactDraft()]);
        proxy.instead.push({ of: "COMMIT", send: fate, errno: 1180 });
        await through.recordEvents([eventDraft()]);
        assert.deepEqual([await countRows(opened, "events"), proxy.instead], [1, []]);
      }));
  }
});
