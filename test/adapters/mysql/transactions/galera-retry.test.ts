import assert from "node:assert/strict";
import { accepted } from "../../../../adapters/storage-contract/calls.ts";
import { take } from "../../../../adapters/storage-contract/taking.ts";
import { defineWebhook } from "../../../../adapters/storage-contract/webhooks/webhooks.ts";
import {
  apiKeyRow,
  contactDraft,
  contactUpdate,
  eventDraft,
  keyed,
  sha256,
  wholeList,
  workspace,
} from "../../../../adapters/storage-contract/drafts.ts";
import { newId } from "../../../../lib/model/ids.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { proxiedBy, type Proxied } from "../../../support/proxied.ts";

const server = await database();

/** Makes the server look like a node of Galera, on which the statement is what another node has committed meanwhile. */
function joinCluster({ proxy }: Proxied, committed: string): void {
  const nothing = "SELECT 1";
  for (let connection = 0; connection < 10; connection++)
    proxy.instead.push({ of: "wsrep_cluster_size", send: nothing });
  for (const of of ["@whodid_sync_wait = @@SESSION", "wsrep_sync_wait = @whodid"])
    proxy.instead.push({ of, send: nothing });
  proxy.instead.push({ of: "whodid:catchUp", send: committed });
}

function hasWaited({ proxy }: Proxied): boolean {
  return !proxy.instead.some(({ of }) => of === "whodid:catchUp");
}

const reveal = `UPDATE whodid_contacts SET workspace = '${workspace}'`;
const externalId = "ada@example.com";
const slice = { ...wholeList, limit: 10 };

/** Each resolves with whether the contact was found. */
const calls: Record<string, (storage: Storage) => Promise<boolean>> = {
  findContact: async (storage) => (await storage.findContact(workspace, { externalId })) !== null,
  listEvents: async (storage) => (await storage.listEvents(workspace, externalId, null, slice)) !== null,
  updateContact: async (storage) =>
    !("refused" in (await storage.updateContact(contactUpdate({ fields: { name: "A" } })))),
  "upsertContacts by externalId": async (storage) =>
    !("refused" in (await storage.upsertContacts([contactDraft({ contact: { externalId } })]))[0]!),
  deleteContact: async (storage) => !("refused" in (await storage.deleteContact(workspace, externalId, 0))),
  insertCompletion: (storage) =>
    storage.insertCompletion({ workspace, externalId, checklistId: newId(1), itemKey: "i", completedAt: 1 }),
  recordEvents: async (storage) => (await storage.recordEvents([eventDraft()]))[0] !== null,
  "recordEvents with an idempotency key": async (storage) =>
    (await storage.recordEvents([eventDraft(keyed("key"))]))[0] !== null,
};

databaseSuite({ name: "a node of a cluster that may be behind", atOnce: 4 }, server, (define) => {
  const test = testsOn(define, proxiedBy(server));
  for (const [name, call] of Object.entries(calls)) {
    test(`is waited for before ${name} says that a contact does not exist`, async (opened) => {
      await opened.storage.upsertContacts([contactDraft({ workspace: "elsewhere" })]);
      joinCluster(opened, reveal);
      assert.equal(await call(opened.through), true);
      assert.ok(hasWaited(opened));
    });

    test(`is waited for once by ${name}, and not for a contact that it has`, async (opened) => {
      joinCluster(opened, "SELECT 1");
      assert.equal(await call(opened.through), false);
      assert.ok(hasWaited(opened));
      await opened.storage.upsertContacts([contactDraft()]);
      joinCluster(opened, "SELECT 1");
      assert.equal(await call(opened.through), true);
      assert.ok(!hasWaited(opened));
    });
  }

  test("is waited for by all drafts of a batch that name a contact which it may lack, in their order", async (opened) => {
    await opened.storage.upsertContacts([contactDraft({ workspace: "elsewhere" })]);
    joinCluster(opened, reveal);
    const fields = [{ name: "1" }, { name: "2", email: externalId }];
    const drafts = fields.map((given) => contactDraft({ id: newId(1), contact: { externalId }, fields: given }));
    const answers = await opened.through.upsertContacts(drafts);
    assert.deepEqual(
      answers.map((answer) => "contact" in answer && [answer.created, answer.contact.name]),
      [
        [false, "1"],
        [false, "2"],
      ],
    );
  });

  test("is waited for by the drafts behind one whose contact it may lack, whatever they name", async (opened) => {
    const email = "grace@example.com";
    const { id } = contactDraft();
    await opened.storage.upsertContacts([contactDraft({ id, contact: { email }, fields: { externalId } })]);
    joinCluster(opened, "SELECT 1");
    const [missing, moved, created] = await opened.through.upsertContacts([
      contactDraft({ contact: { externalId: externalId.toUpperCase() } }),
      contactDraft({ id: newId(1), contact: { externalId }, fields: { email: externalId } }),
      contactDraft({ id: newId(1), contact: { email }, fields: { externalId: null } }),
    ]);
    assert.ok(missing && "refused" in missing && moved && "contact" in moved && created && "contact" in created);
    assert.deepEqual([moved.contact.id, moved.created, created.created], [id, false, true]);
    assert.ok(hasWaited(opened));
  });

  test("is waited for by all events of a batch with the key of one whose contact it may lack, in their order", async (opened) => {
    const [email, another] = [externalId, "another@example.com"];
    await opened.storage.upsertContacts([
      contactDraft({ workspace: "elsewhere", contact: { email } }),
      contactDraft({ id: newId(1), contact: { email: another } }),
    ]);
    joinCluster(opened, reveal);
    const drafts = [email, another].map((name) =>
      eventDraft({ ...keyed("key"), id: newId(1), contact: { email: name } }),
    );
    const [first, second] = await opened.through.recordEvents(drafts);
    assert.ok(first && "id" in first);
    assert.equal(first.id, drafts[0]!.id);
    assert.deepEqual(second, first);
  });

  test("is waited for before an API key is unknown", async (opened) => {
    const row = apiKeyRow();
    await opened.storage.insertApiKey({ ...row, hash: sha256("another") });
    joinCluster(opened, `UPDATE whodid_api_keys SET hash = UNHEX('${row.hash}')`);
    assert.equal((await opened.through.findApiKey(row.hash))?.id, row.id);
  });

  test("is waited for once a look-up of many unknown keys, which are then remembered", async (opened) => {
    for (let lookUp = 0; lookUp < 3; lookUp++) joinCluster(opened, "SELECT 1");
    const ask = (): Promise<unknown[]> =>
      Promise.all(Array.from({ length: 1_000 }, (_, index) => opened.through.findApiKey(sha256(`${index}`))));
    assert.ok((await ask()).every((owner) => owner === null));
    await ask();
    // 500 keys, and then the rest.
    assert.equal(opened.through.stats().retries["behind"], 2);
  });

  test("is waited for before a webhook, its secrets and its consumers are as this node has them", async (opened) => {
    const { id } = await defineWebhook(opened.storage);
    joinCluster(opened, "UPDATE whodid_webhooks SET version = 9");
    assert.equal((await opened.through.findWebhook(workspace, id))?.version, 9);
    const insert = async (storage: Storage): Promise<unknown> =>
      accepted(await storage.insertSecret(workspace, "hook", { id: newId(1), secret: "whsec_" }));
    await insert(opened.storage);
    await insert(opened.storage);
    joinCluster(opened, "DELETE FROM whodid_webhook_secrets");
    await insert(opened.through);
    joinCluster(opened, "UPDATE whodid_definitions SET body = JSON_REMOVE(body, '$.url', '$.concurrency')");
    await take(opened.through, {}, "hook");
  });

  test("keeps nobody else's event of a batch waiting", async (opened) => {
    await opened.storage.upsertContacts([contactDraft()]);
    joinCluster(opened, "SELECT 1");
    const [found, missing] = await opened.through.recordEvents([
      eventDraft(),
      eventDraft({ contact: { email: "nobody@example.com" } }),
    ]);
    assert.ok(found !== null && missing === null);
    assert.deepEqual(opened.through.stats().retries, {});
  });
});
