import assert from "node:assert/strict";
import { newWebhook } from "../../lib/decisions/webhooks.ts";
import { callsOnContactsAndEvents, createContact, recordEvent, rejected } from "./calls.ts";
import { apiKeyRow, at, definitionDraft, wholeList, workspace, rowsUpTo } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";
import { subscribe } from "./log.ts";

export function closing(test: StorageTest): void {
  test("a storage may be closed twice, also at once", async ({ storage }) => {
    await createContact(storage);
    await Promise.all([storage.close(), storage.close()]);
    assert.equal(await storage.close(), undefined);
  });

  test("the close refuses the transaction under way, and does not wait for its function", async ({ storage }) => {
    let written = (): void => {};
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    let closed = (): void => {};
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const refused = storage.transaction(async (inside) => {
      await createContact(inside);
      written();
      await isClosed;
    });
    await isWritten;
    void refused.catch(() => {});
    await storage.close();
    closed();
    await rejected(refused, "storage_unavailable");
  });

  test("after the close every method rejects with storage_unavailable", async ({ storage }) => {
    const row = apiKeyRow();
    const did = { eventKey: "step", field: "count", from: 1, to: null } as const;
    const { id } = await createContact(storage);
    await recordEvent(storage);
    await storage.putDefinition(definitionDraft());
    await storage.insertApiKey(row);
    await subscribe(storage);
    storage.watchChanges(workspace, () => {})();
    const calls = [
      () => storage.upsertContacts([]),
      () => storage.countContacts(workspace),
      () => storage.recordEvents([]),
      () => storage.listRecorded(workspace, null, rowsUpTo(1)),
      () => storage.transaction(async () => {}),
      () => storage.listWebhooks(),
      () => storage.findWebhook(workspace, id),
      () => storage.putWebhookState(workspace, id, 1, newWebhook),
      () => storage.insertSecret(workspace, "hook", { id, secret: "whsec_" }),
      () => storage.deleteSecret(workspace, "hook", id),
      () => storage.putDefinition(definitionDraft()),
      () => storage.listDefinitions(workspace, "attribute"),
      () => storage.listDefinitions(workspace, "attribute", { maxAgeMs: 0 }),
      () => storage.listRecentEvents(workspace, null, wholeList),
      () => storage.markPruned(workspace, at),
      () => storage.findPrunedBefore(workspace),
      () => storage.summarizeEvents(workspace, id, { eventKey: "step", count: 1, from: at, to: null, where: [] }),
      () => storage.pruneEvents(workspace, { before: at, recordedBefore: at, after: null }),
      () => storage.listEventUsage(workspace, null, rowsUpTo(1)),
      () => storage.countActivity(workspace, null, [{ from: at, to: at + 1 }], at),
      () => storage.listMembers(workspace, { not: did }, wholeList),
      () => storage.countMembers(workspace, did),
      () => storage.insertApiKey(row),
      () => storage.findApiKey(row.hash),
      () => storage.listApiKeys(workspace),
      () => storage.consume(row.id, 1, { startsAt: at, endsAt: at + 60_000, now: at }, 1),
      () => storage.readClock(),
      () => storage.logChanges(),
      () => storage.listChanges(workspace, "all", null, rowsUpTo(1)),
      () => storage.findWork([{ workspace, key: "all", after: 1 }]),
      () => storage.removeOldChanges(0),
      () => storage.takeChanges(workspace, "all", { token: "a", leaseMs: 0, ...rowsUpTo(1) }),
      () => storage.acknowledge(workspace, []),
      () => storage.readBacklog(workspace, "all"),
      () => storage.listParked(workspace, "all", { ...rowsUpTo(1), after: null }),
      () => storage.releaseParked(workspace, "all", id, "drop"),
      () => storage.resumeChanges(workspace, "all", "now"),
      () => storage.deleteDefinition(workspace, "attribute", "seats"),
      () => storage.deleteApiKey(workspace, row.id),
      ...callsOnContactsAndEvents(storage),
    ];
    // A storage may remember data that it has read.
    for (const call of calls) await call();
    await storage.close();
    for (const call of calls) await rejected(call(), "storage_unavailable");
  });

  test("after the close every method of a transaction is storage_unavailable", async ({ storage, begin }) => {
    const { inside } = await begin();
    await createContact(inside);
    await storage.close();
    for (const call of callsOnContactsAndEvents(inside)) await rejected(call(), "storage_unavailable");
  });
}
