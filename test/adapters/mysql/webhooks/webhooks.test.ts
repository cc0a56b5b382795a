import assert from "node:assert/strict";
import type { Pool, RowDataPacket } from "mysql2/promise";
import { accepted, refused } from "../../../../adapters/storage-contract/calls.ts";
import { take } from "../../../../adapters/storage-contract/taking.ts";
import { at, contactDraft, webhookDraft, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import { assertPending, start } from "../../../../adapters/storage-contract/pending.ts";
import { defineWebhook, readWebhook } from "../../../../adapters/storage-contract/webhooks/webhooks.ts";
import { newId } from "../../../../lib/model/ids.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const draft = () => ({ id: newId(at), secret: "whsec_" });

async function countsOf(pool: Pool): Promise<number[]> {
  const tables = ["webhooks", "webhook_secrets"].map((name) => `(SELECT COUNT(*) FROM whodid_${name})`);
  const [[counts]] = await pool.query<RowDataPacket[]>(`SELECT ${tables.join(" AS a, ")} AS b`);
  return [Number(counts!["a"]), Number(counts!["b"])];
}

databaseSuite({ name: "webhooks in mysql", atOnce: 3 }, await database(), (define, server) => {
  const test = testsOn(define, mysqlBy(server));

  test("an earlier version deletes a webhook with its secrets", async ({ storage, pool }: OpenedMysql) => {
    await defineWebhook(storage, { key: "other" });
    await defineWebhook(storage);
    for (const key of ["other", "hook"]) accepted(await storage.insertSecret(workspace, key, draft()));
    assert.deepEqual(await countsOf(pool), [2, 2]);
    // It deletes the rows of the tables that it knows.
    await pool.query("DELETE FROM whodid_definitions WHERE definition_key = 'hook'");
    assert.deepEqual(await countsOf(pool), [1, 1]);
  });

  test("a webhook that an earlier version defined anew is none, until it is deleted", async ({ storage, pool }) => {
    const subscription = await defineWebhook(storage, { key: "all" });
    await pool.query("UPDATE whodid_definitions SET body = JSON_REMOVE(body, '$.url', '$.concurrency')");
    assert.deepEqual(await storage.listWebhooks(), []);
    assert.equal(await storage.findWebhook(workspace, subscription.id), null);
    refused(await storage.insertSecret(workspace, "all", draft()), "definition_not_found");
    refused(await storage.putDefinition(webhookDraft({ key: "all" })), "subscription_conflict");
    await storage.upsertContacts([contactDraft()]);
    assert.equal((await take(storage)).slots.length, 1);
    await storage.deleteDefinition(workspace, "subscription", "all");
    await readWebhook(storage, await defineWebhook(storage, { key: "all" }));
  });

  test("a secret whose end has come no longer signs, and is deleted with the next change", async ({
    storage,
    pool,
  }) => {
    const subscription = await defineWebhook(storage);
    const older = accepted(await storage.insertSecret(workspace, "hook", draft()));
    const newer = accepted(await storage.insertSecret(workspace, "hook", draft()));
    await pool.query("UPDATE whodid_webhook_secrets SET ends_at = created_at WHERE ends_at IS NOT NULL");
    assert.deepEqual((await readWebhook(storage, subscription)).secrets, [newer]);
    assert.equal(await storage.deleteSecret(workspace, "hook", older.id), false);
    accepted(await storage.insertSecret(workspace, "hook", draft()));
    assert.deepEqual(await countsOf(pool), [1, 2]);
  });

  test("a secret waits for the deletion of its webhook, and is refused", async ({ storage, pool }) => {
    await defineWebhook(storage);
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    await connection.query("DELETE FROM whodid_definitions");
    const inserted = start(storage.insertSecret(workspace, "hook", draft()));
    await assertPending(inserted);
    await connection.commit();
    connection.release();
    refused(await inserted.result, "definition_not_found");
  });
});
