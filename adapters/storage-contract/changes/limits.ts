/** The tests of where the log of a subscription begins and ends. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createContact, recordEvent, refused } from "../calls.ts";
import { workspace, rowsUpTo, dayMs } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { logAll, readAll, subscribe, told } from "../log.ts";

export function changeLimits(test: StorageTest): void {
  test("changes of an unknown subscription are refused", async ({ storage }) => {
    refused(await storage.listChanges(workspace, "all", null, rowsUpTo(1)), "definition_not_found");
    await subscribe(storage);
    await storage.deleteDefinition(workspace, "subscription", "all");
    refused(await storage.listChanges(workspace, "all", null, rowsUpTo(1)), "definition_not_found");
  });

  test("a subscription that is deleted and created again begins anew", async ({ storage }) => {
    await subscribe(storage);
    await createContact(storage);
    const { position } = await readAll(storage);
    await storage.deleteDefinition(workspace, "subscription", "all");
    await recordEvent(storage);
    await subscribe(storage);
    await logAll(storage);
    refused(await storage.listChanges(workspace, "all", position, rowsUpTo(1)), "changes_expired");
    assert.deepEqual(await told(storage), []);
  });

  test("a write that resolved before a subscription was created has no change in it", async ({ storage }) => {
    await subscribe(storage);
    await createContact(storage);
    await subscribe(storage, { key: "later" });
    await recordEvent(storage);
    assert.deepEqual(await told(storage, { key: "later" }), ["event_recorded step"]);
  });

  test("a subscription that is defined again keeps its positions, and takes its new topics", async ({ storage }) => {
    await subscribe(storage, { on: { contacts: true } });
    await createContact(storage);
    const { position } = await readAll(storage);
    await subscribe(storage, { on: { events: true } });
    await recordEvent(storage);
    assert.deepEqual(await told(storage, { after: position }), ["event_recorded step"]);
  });

  test("a position beyond the end of the log is refused", async ({ storage }) => {
    await subscribe(storage);
    await createContact(storage);
    const { position } = await readAll(storage);
    refused(await storage.listChanges(workspace, "all", position + 1_000_000_000_000, rowsUpTo(1)), "changes_expired");
  });

  test("changes are removed by the longest keepDays, which refuses a reader from before", async ({ storage }) => {
    await subscribe(storage, { keepDays: 3 });
    await subscribe(storage, { key: "contacts", on: { contacts: true }, keepDays: 2 });
    await createContact(storage);
    const { position } = await readAll(storage);
    await recordEvent(storage);
    await logAll(storage);
    const now = await storage.readClock();
    while (await storage.removeOldChanges(now + 2.5 * dayMs));
    assert.deepEqual(await told(storage), ["contact_created", "event_recorded step"]);
    while (await storage.removeOldChanges(now + 3.5 * dayMs));
    refused(await storage.listChanges(workspace, "all", position, rowsUpTo(1)), "changes_expired");
    assert.deepEqual(await told(storage, { key: "contacts", after: position }), []);
    assert.deepEqual(await told(storage), []);
  });

  test("a removal of older changes leaves the beginning of a later subscription where it is", async ({ storage }) => {
    await subscribe(storage);
    await createContact(storage);
    await logAll(storage);
    await sleep(10);
    const between = await storage.readClock();
    await sleep(10);
    await recordEvent(storage);
    await logAll(storage);
    await subscribe(storage, { key: "later" });
    await recordEvent(storage, { eventKey: "late" });
    await logAll(storage);
    while (await storage.removeOldChanges(between + 7 * dayMs));
    assert.deepEqual(await told(storage), ["event_recorded step", "event_recorded late"]);
    assert.deepEqual(await told(storage, { key: "later" }), ["event_recorded late"]);
  });
}
