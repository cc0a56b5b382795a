/** The tests of consumers of webhooks, and of probes. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, refused } from "../calls.ts";
import { rowsUpTo, subscriptionDraft, webhookDraft, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { failFirst, handleDue, happen, idsOf, longMs, progressOf, subscribeContacts, take } from "../taking.ts";

/** Resolves with the storage's clock, at least 2 ms after all that was stored before. */
export async function laterClock(storage: Storage): Promise<number> {
  const before = await storage.readClock();
  while ((await storage.readClock()) < before + 2) await sleep(1);
  return storage.readClock();
}

/** Fails the next change of the contact. Resolves with its id. */
async function failNext(storage: Storage, contact: number, pauseMs: number | null): Promise<string> {
  const id = await happen(storage, contact);
  assert.equal(await failFirst(storage, pauseMs), id);
  await laterClock(storage);
  return id;
}

function probe(storage: Storage, failedBefore: number | null = null, leaseMs = 0) {
  return take(storage, { probe: { failedBefore }, leaseMs });
}

export function probes(test: StorageTest): void {
  test("a webhook and another subscription are each taken by their own consumers only", async ({ storage }) => {
    accepted(await storage.putDefinition(webhookDraft()));
    accepted(await storage.putDefinition(subscriptionDraft()));
    const request = { token: "a", leaseMs: 0, ...rowsUpTo(1) };
    const asWebhook = { ...request, isWebhook: true } as const;
    accepted(await storage.takeChanges(workspace, "hook", asWebhook));
    accepted(await storage.takeChanges(workspace, "all", request));
    refused(await storage.takeChanges(workspace, "hook", request), "subscription_conflict");
    refused(await storage.takeChanges(workspace, "all", asWebhook), "subscription_conflict");
    refused(await storage.takeChanges(workspace, "unknown", asWebhook), "definition_not_found");
  });

  test("a probe takes the first change of contacts that do not wait, and leases its slot alone", async ({
    storage,
  }) => {
    await subscribeContacts(storage, 5, 6, 7);
    await failNext(storage, 0, 0);
    const [first, second, third] = [await happen(storage, 1), await happen(storage, 2), await happen(storage, 1)];
    for (const failedBefore of [null, 0]) {
      const probed = await probe(storage, failedBefore);
      assert.deepEqual([idsOf(probed), probed.more], [[first], true]);
    }
    const leased = await take(storage, { token: "a", probe: { failedBefore: null } });
    assert.deepEqual(idsOf(leased), [first]);
    assert.deepEqual(idsOf(await probe(storage)), [second]);
    assert.deepEqual(await storage.acknowledge(workspace, [progressOf(leased, "a")]), [true]);
    assert.deepEqual(
      idsOf(await take(storage))
        .slice(1)
        .sort(),
      [second, third].sort(),
    );
  });

  test("without another, a probe takes the change that failed longest ago, in its pause", async ({ storage }) => {
    await subscribeContacts(storage, 5, 6, 7);
    await failNext(storage, 2, null);
    const begun = await storage.readClock();
    const first = await failNext(storage, 0, longMs);
    await happen(storage, 0);
    const between = await storage.readClock();
    const second = await failNext(storage, 1, longMs);
    const [probed] = (await probe(storage)).slots;
    assert.deepEqual(
      probed?.changes.map(({ row, waited, failures }) => [row.id, waited, failures]),
      [[first, true, 1]],
    );
    assert.deepEqual((await probe(storage, begun)).slots, []);
    assert.deepEqual(idsOf(await probe(storage, between)), [first]);
    assert.equal(await failFirst(storage, longMs, { probe: { failedBefore: null } }), first);
    assert.deepEqual(idsOf(await probe(storage)), [second]);
    assert.deepEqual((await probe(storage, between)).slots, []);
    assert.deepEqual((await take(storage)).slots, []);
  });

  test("after a probe was handled, the next takes what its contact did meanwhile", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    await failNext(storage, 0, longMs);
    await handleDue(storage, { probe: { failedBefore: null } });
    const id = await happen(storage, 0);
    assert.deepEqual(idsOf(await probe(storage)), [id]);
  });
}
