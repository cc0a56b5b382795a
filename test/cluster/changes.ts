import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { mysqlStorage, type MysqlStorage } from "../../adapters/mysql/index.ts";
import { logAll, readAll } from "../../adapters/storage-contract/log.ts";
import {
  at,
  checklistDraft,
  contactDraft,
  eventDraft,
  subscriptionDraft,
  workspace,
} from "../../adapters/storage-contract/drafts.ts";
import { subscriptionStartMs } from "../../lib/model/limits.ts";
import type { ChangeRow } from "../../lib/storage/changes.ts";
import type { Galera } from "./galera.ts";

const keys = ["a", "b"];
const contacts = 60;

/**
 * Writes to each contact through two nodes at once, and deletes every third through the third node, while each node runs passes.
 * Asserts that the log is the same through every node, and has each change of the contacts that are left once.
 */
export async function logThroughNodes(cluster: Galera): Promise<void> {
  const url = await cluster.database.createDatabase();
  const storages = cluster.urlsOf(url).map((node) => mysqlStorage(node));
  const [first] = storages as [MysqlStorage];
  try {
    await first.migrate();
    await first.putDefinition(subscriptionDraft());
    const items = keys.map((key) => ({ key, name: key, when: { kind: "has_done", eventKey: key } as const }));
    await first.putDefinition(checklistDraft({ items }));
    // Until then a node may not have applied the definition, and its storage may not know the subscription.
    await sleep(subscriptionStartMs);
    const ending = new AbortController();
    const passes = storages.map(async (storage) => {
      while (!ending.signal.aborted) await storage.logChanges();
    });
    await Promise.all(Array.from({ length: contacts }, (_, n) => writeThrough(storages, n)));
    ending.abort();
    await Promise.all(passes);
    for (const storage of storages) await logAll(storage);
    const [log, ...others] = await Promise.all(storages.map(async (storage) => (await readAll(storage)).changes));
    for (const other of others) assert.deepEqual(other, log);
    assertWhole(log!);
  } finally {
    await Promise.all(storages.map((storage) => storage.close()));
  }
}

function emailOf(n: number): string {
  return `user${n}@example.com`;
}

async function writeThrough(storages: readonly MysqlStorage[], n: number): Promise<void> {
  const [first, second, third] = storages as [MysqlStorage, MysqlStorage, MysqlStorage];
  const email = emailOf(n);
  await first.upsertContacts([contactDraft({ email })]);
  const recorded = await Promise.all(
    [first, second].map((storage, index) =>
      storage.recordEvents([eventDraft({ contact: { email }, eventKey: keys[index]! })]),
    ),
  );
  for (const [answer] of recorded) assert.ok(answer && "id" in answer, JSON.stringify(answer));
  if (n % 3 === 0) assert.ok("contactId" in (await third.deleteContact(workspace, email, at)));
}

function assertWhole(log: readonly ChangeRow[]): void {
  const kinds = new Map<string, string[]>();
  for (const { kind, contact } of log) kinds.set(contact.id, [...(kinds.get(contact.id) ?? []), kind]);
  const left = "checklist_completed,contact_created,event_recorded,event_recorded,item_completed,item_completed";
  const found = [...kinds.values()].map((list) => list.sort().join()).sort();
  const deleted = Math.ceil(contacts / 3);
  assert.deepEqual(found, [
    ...Array.from({ length: contacts - deleted }, () => left),
    ...Array.from({ length: deleted }, () => "contact_deleted"),
  ]);
}
