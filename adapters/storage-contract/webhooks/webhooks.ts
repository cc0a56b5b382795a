/** The tests of webhooks, and of the states of their endpoints. */
import assert from "node:assert/strict";
import { newWebhook } from "../../../lib/decisions/webhooks.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { SubscriptionRow } from "../../../lib/storage/rows.ts";
import type { WebhookRow } from "../../../lib/storage/webhooks.ts";
import { accepted, refused } from "../calls.ts";
import { at, newIds, subscriptionDraft, webhookDraft, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export async function defineWebhook(
  storage: Storage,
  parts: Parameters<typeof webhookDraft>[0] = {},
): Promise<SubscriptionRow> {
  return accepted(await storage.putDefinition(webhookDraft(parts))) as SubscriptionRow;
}

/** The webhook, by both ways to read it. */
export async function readWebhook(storage: Storage, { id, workspace: name }: SubscriptionRow): Promise<WebhookRow> {
  const before = await storage.readClock();
  const found = await storage.findWebhook(name, id);
  assert.ok(found);
  assert.ok(before <= found.now && found.now <= (await storage.readClock()));
  const listed = (await storage.listWebhooks()).find(({ subscriptionId }) => subscriptionId === id);
  assert.deepEqual(listed && { ...listed, now: found.now }, found);
  return found;
}

async function idsOf(storage: Storage): Promise<string[]> {
  return (await storage.listWebhooks()).map(({ subscriptionId }) => subscriptionId);
}

const failed = { ...newWebhook, failures: 3, firstFailureAt: at, lastStatus: 500, lastError: "Ä 😀", pausedUntil: at };

export function webhooks(test: StorageTest): void {
  test("a webhook begins new and without secrets with its definition, and lasts with it", async ({ storage }) => {
    const plain = accepted(await storage.putDefinition(subscriptionDraft()));
    assert.deepEqual(await storage.listWebhooks(), []);
    assert.equal(await storage.findWebhook(workspace, plain.id), null);
    const subscription = await defineWebhook(storage, { concurrency: 7 });
    const { version, now: _, ...found } = await readWebhook(storage, subscription);
    refused(await storage.putDefinition(subscriptionDraft({ key: "hook" })), "subscription_conflict");
    refused(await storage.putDefinition(webhookDraft({ key: "all" })), "subscription_conflict");
    assert.deepEqual(await idsOf(storage), [subscription.id]);
    const names = { workspace, key: "hook", subscriptionId: subscription.id };
    const { url } = webhookDraft().body;
    assert.deepEqual(found, { ...names, url, concurrency: 7, state: newWebhook, secrets: [] });
    assert.equal(await storage.putWebhookState(workspace, subscription.id, version, failed), true);
    await storage.deleteDefinition(workspace, "subscription", "hook");
    assert.deepEqual(await storage.listWebhooks(), []);
    assert.equal(await storage.findWebhook(workspace, subscription.id), null);
    assert.deepEqual((await readWebhook(storage, await defineWebhook(storage))).state, newWebhook);
  });

  test("a changed url begins the state anew, and no other change of the definition does", async ({ storage }) => {
    const subscription = await defineWebhook(storage);
    const secret = accepted(await storage.insertSecret(workspace, "hook", { id: subscription.id, secret: "whsec_" }));
    const { version } = await readWebhook(storage, subscription);
    await storage.putWebhookState(workspace, subscription.id, version, failed);
    await defineWebhook(storage, { concurrency: 5, keepDays: 8 });
    const changed = await readWebhook(storage, subscription);
    assert.deepEqual([changed.state, changed.concurrency], [failed, 5]);
    await defineWebhook(storage, { url: "https://example.org/" });
    const moved = await readWebhook(storage, subscription);
    assert.deepEqual([moved.url, moved.state, moved.secrets], ["https://example.org/", newWebhook, [secret]]);
    assert.equal(await storage.putWebhookState(workspace, subscription.id, changed.version, failed), false);
    assert.deepEqual((await readWebhook(storage, subscription)).state, newWebhook);
  });

  test("webhooks are listed by the age of their subscriptions, without marked workspaces", async ({ storage }) => {
    const [low = "", middle = "", high = ""] = newIds(3);
    await defineWebhook(storage, { id: high, key: "a" });
    await defineWebhook(storage, { id: middle, key: "b", createdAt: at + 1 });
    await defineWebhook(storage, { id: low, workspace: "other" });
    assert.deepEqual(await idsOf(storage), [low, high, middle]);
    await storage.markDeleted("other", at);
    assert.deepEqual(await idsOf(storage), [high, middle]);
    assert.equal(await storage.findWebhook("other", low), null);
  });
}

export function endpointStates(test: StorageTest): void {
  test("a state is replaced once by each version, and not if the webhook is deleted", async ({ storage }) => {
    const subscription = await defineWebhook(storage);
    const { version } = await readWebhook(storage, subscription);
    const put = (of: number, parts = {}) => {
      const given = { ...failed, ...parts };
      const stored = storage.putWebhookState(workspace, subscription.id, of, given);
      Object.assign(given, { failures: 9 });
      return stored;
    };
    assert.deepEqual((await Promise.all([put(version), put(version)])).sort(), [false, true]);
    assert.equal(await put(version, { failures: 4 }), false);
    const { version: next, state } = await readWebhook(storage, subscription);
    assert.deepEqual(state, failed);
    Object.assign(state, { failures: 9 });
    assert.deepEqual((await readWebhook(storage, subscription)).state, failed);
    assert.equal(await put(next), true);
    const last = await readWebhook(storage, subscription);
    assert.equal(new Set([version, next, last.version]).size, 3);
    await storage.deleteDefinition(workspace, "subscription", "hook");
    assert.equal(await put(last.version), false);
    assert.deepEqual(await storage.listWebhooks(), []);
  });
}
