/** The tests of the secrets that sign. */
import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { Refused, SubscriptionRow } from "../../../lib/storage/rows.ts";
import type { SecretRow } from "../../../lib/storage/webhooks.ts";
import { accepted, atOnce, isRefused, refused } from "../calls.ts";
import { at, subscriptionDraft, workspace, dayMs } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { defineWebhook, readWebhook } from "./webhooks.ts";

function insert(storage: Storage, key = "hook"): Promise<SecretRow | Refused> {
  return storage.insertSecret(workspace, key, { id: newId(at), secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" });
}

async function secretsOf(storage: Storage, subscription: SubscriptionRow): Promise<SecretRow[]> {
  return (await readWebhook(storage, subscription)).secrets;
}

export function webhookSecrets(test: StorageTest): void {
  test("the older of two secrets ends after a day, unless one is deleted; a third is refused", async ({ storage }) => {
    const subscription = await defineWebhook(storage);
    const before = await storage.readClock();
    const older = accepted(await insert(storage));
    assert.ok(before <= older.createdAt && older.createdAt <= (await storage.readClock()));
    assert.equal(older.endsAt, null);
    const secret = "whsec_other";
    const newer = accepted(await storage.insertSecret(workspace, "hook", { id: newId(at), secret }));
    assert.equal(newer.secret, secret);
    const both = [newer, { ...older, endsAt: newer.createdAt + dayMs }];
    assert.deepEqual(await secretsOf(storage, subscription), both);
    refused(await insert(storage), "secrets_taken");
    assert.equal(await storage.deleteSecret(workspace, "hook", newId(at)), false);
    Object.assign((await secretsOf(storage, subscription))[0]!, { secret: "changed" });
    assert.deepEqual(await secretsOf(storage, subscription), both);

    const drop = ({ id }: SecretRow) => storage.deleteSecret(workspace, "hook", id);
    for (const isNew of [true, false]) {
      assert.equal(await drop(newer), isNew);
      assert.deepEqual(await secretsOf(storage, subscription), [older]);
    }
    const last = accepted(await insert(storage));
    assert.equal(await drop(older), true);
    assert.deepEqual(await secretsOf(storage, subscription), [last]);
    assert.equal(await drop(last), true);
    assert.deepEqual(await secretsOf(storage, subscription), []);
  });

  test("of secrets that are added at once two are stored", async ({ storage }) => {
    const subscription = await defineWebhook(storage);
    const answers = await atOnce(5, () => insert(storage));
    assert.equal(answers.filter(isRefused).length, 3);
    const stored = answers.filter((answer) => !isRefused(answer)).map((answer) => accepted(answer).id);
    assert.deepEqual((await secretsOf(storage, subscription)).map(({ id }) => id).sort(), stored.sort());
  });

  test("a secret is of one webhook, and is deleted with it", async ({ storage }) => {
    await defineWebhook(storage);
    const other = await defineWebhook(storage, { key: "other" });
    accepted(await storage.putDefinition(subscriptionDraft()));
    const { id } = accepted(await insert(storage));
    assert.equal(await storage.deleteSecret(workspace, "other", id), false);
    assert.deepEqual(await secretsOf(storage, other), []);
    await storage.deleteDefinition(workspace, "subscription", "hook");
    for (const key of ["hook", "all", "unknown"]) {
      refused(await insert(storage, key), "definition_not_found");
      refused(Object(await storage.deleteSecret(workspace, key, id)), "definition_not_found");
    }
    assert.deepEqual(await secretsOf(storage, await defineWebhook(storage)), []);
  });
}
