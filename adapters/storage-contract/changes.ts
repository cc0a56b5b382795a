/** The tests of the log of changes. They log all that waits before they read, as a storage may log a change later. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeRow } from "../../lib/storage/change-rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { SubscriptionRow } from "../../lib/storage/rows.ts";
import { accepted, createContact, recordEvent, refused, rejected, update, upsert } from "./calls.ts";
import { at, checklistDraft, contactDraft, eventDraft, subscriptionDraft, workspace, idAt } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

const dayMs = 86_400_000;

async function subscribe(
  storage: Storage,
  parts: Parameters<typeof subscriptionDraft>[0] = {},
): Promise<SubscriptionRow> {
  return accepted(await storage.putDefinition(subscriptionDraft(parts))) as SubscriptionRow;
}

/** Logs all changes that wait. */
export async function logAll(storage: Storage): Promise<void> {
  while ((await storage.logChanges()).more);
}

/** All changes of the subscription after the position, read in pages of `limit`. */
export async function readAll(
  storage: Storage,
  { key = "all", after = null, limit = 100 }: { key?: string; after?: number | null; limit?: number } = {},
): Promise<{ changes: ChangeRow[]; position: number }> {
  await logAll(storage);
  const changes: ChangeRow[] = [];
  let from = after;
  for (;;) {
    const page = accepted(await storage.listChanges(workspace, key, from, limit));
    changes.push(...page.changes);
    from = page.position;
    if (page.changes.length < limit) return { changes, position: page.position };
  }
}

/** The kind of each change, with what it is about. */
async function told(storage: Storage, options: Parameters<typeof readAll>[1] = {}): Promise<string[]> {
  return (await readAll(storage, options)).changes.map((change) => {
    if (change.kind === "event_recorded") return `${change.kind} ${change.event.eventKey}`;
    if (change.kind === "item_completed") return `${change.kind} ${change.item.itemKey}`;
    return change.kind === "checklist_completed" ? `${change.kind} ${change.checklistKey}` : change.kind;
  });
}

export function causedChanges(test: StorageTest): void {
  test("a write causes no change without a subscription that takes it", async ({ storage }) => {
    await createContact(storage);
    await subscribe(storage, { on: { events: ["other"] } });
    await recordEvent(storage);
    await createContact(storage, { email: "bob@example.com" });
    assert.deepEqual(await told(storage), []);
    await recordEvent(storage, { eventKey: "other" });
    assert.deepEqual(await told(storage), ["event_recorded other"]);
  });

  test("a contact's creation, update and deletion are changes with its values then", async ({ storage }) => {
    await subscribe(storage);
    const ada = await createContact(storage, { fields: { name: "Ada" } });
    await update(storage, { at: at + 1, fields: { externalId: "u_1", name: null } });
    await update(storage, { externalId: "u_1", at: at + 2, fields: { name: null } });
    const contact = { id: ada.id, email: "ada@example.com" };
    const { changes: found } = await readAll(storage);
    assert.deepEqual(
      found.map((change) => ({ ...change, id: "", position: 0 })),
      [
        {
          id: "",
          position: 0,
          kind: "contact_created",
          at,
          contact: { ...contact, externalId: "ada@example.com" },
          changed: {
            fields: {
              email: { before: null, after: "ada@example.com" },
              externalId: { before: null, after: "ada@example.com" },
              name: { before: null, after: "Ada" },
            },
            attributes: {},
          },
          properties: null,
        },
        {
          id: "",
          position: 0,
          kind: "contact_updated",
          at: at + 1,
          contact: { ...contact, externalId: "u_1" },
          changed: {
            fields: {
              externalId: { before: "ada@example.com", after: "u_1" },
              name: { before: "Ada", after: null },
            },
            attributes: {},
          },
          properties: null,
        },
      ],
    );
  });

  test("a deletion removes the contact's changes, and leaves its own without the email", async ({ storage }) => {
    await subscribe(storage);
    const ada = await createContact(storage);
    await recordEvent(storage);
    const { position } = await readAll(storage);
    await createContact(storage, { email: "bob@example.com", fields: { externalId: "u_2" } });
    await recordEvent(storage);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at + 5));
    accepted(await storage.deleteContact(workspace, "u_2", at + 6));
    const { changes: found } = await readAll(storage);
    assert.deepEqual(found.map(({ kind, at: time, contact }) => [kind, time, contact]).slice(0, 1), [
      ["contact_deleted", at + 5, { id: ada.id, externalId: null }],
    ]);
    assert.equal(found.length, 2);
    assert.deepEqual(found[1]?.contact, { id: found[1]?.contact.id, externalId: "u_2" });
    assert.deepEqual(await told(storage, { after: position }), ["contact_deleted", "contact_deleted"]);
  });

  test("an event is a change with its id, and its properties until it is removed", async ({ storage }) => {
    await subscribe(storage);
    await createContact(storage);
    const draft = eventDraft({ id: idAt(at), properties: '{"total":1}', createdAt: at - 1, recordedAt: at });
    await recordEvent(storage, draft);
    await recordEvent(storage, draft);
    const events = async (): Promise<ChangeRow[]> => (await readAll(storage)).changes.slice(1);
    const [change, ...others] = await events();
    assert.deepEqual(others, []);
    assert.deepEqual(change?.kind === "event_recorded" && [change.id, change.at, change.event, change.properties], [
      draft.id,
      at,
      { eventKey: "step", createdAt: at - 1 },
      '{"total":1}',
    ]);
    await storage.pruneEvents(workspace, { before: at, recordedBefore: at + 1, after: null });
    assert.deepEqual(await events(), [{ ...change, properties: null }]);
  });

  test("an item and a checklist that are completed by an event or by hand are changes, once", async ({ storage }) => {
    await subscribe(storage, { on: { checklists: true } });
    await createContact(storage);
    const when = { kind: "has_done", eventKey: "step" } as const;
    const items = [
      { key: "first", name: "First", when },
      { key: "hand", name: "By hand" },
    ];
    const { id } = accepted(await storage.putDefinition(checklistDraft({ items })));
    const draft = { workspace, externalId: "ada@example.com", checklistId: id, itemKey: "hand", completedAt: at };
    await recordEvent(storage);
    await Promise.all([storage.insertCompletion(draft), storage.insertCompletion(draft)]);
    await storage.insertCompletion({ ...draft, itemKey: "unknown" });
    await createContact(storage, { email: "bob@example.com" });
    await storage.insertCompletion({ ...draft, externalId: "bob@example.com" });
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    const once = ["item_completed first", "item_completed hand", "checklist_completed start"];
    assert.deepEqual(await told(storage), [...once, "item_completed hand", "item_completed first", once[2]]);
  });

  test("two transactions that complete the last two items announce the checklist once", async ({ storage, begin }) => {
    await subscribe(storage, { on: { checklists: true } });
    await createContact(storage);
    const items = ["a", "b"].map((key) => ({ key, name: key, when: { kind: "has_done", eventKey: key } as const }));
    accepted(await storage.putDefinition(checklistDraft({ items })));
    const one = await begin();
    await recordEvent(one.inside, { eventKey: "a" });
    const other = storage.recordEvents([eventDraft({ eventKey: "b" })]);
    await one.commit();
    await other;
    assert.deepEqual(await told(storage), ["item_completed a", "item_completed b", "checklist_completed start"]);
  });

  test("a write with notify false causes no change", async ({ storage }) => {
    await subscribe(storage);
    await storage.upsertContacts([contactDraft({ notify: false })]);
    await storage.recordEvents([eventDraft({ notify: false })]);
    const { id } = accepted(await storage.putDefinition(checklistDraft()));
    const draft = { workspace, externalId: "ada@example.com", checklistId: id, itemKey: "hand", completedAt: at };
    await storage.insertCompletion({ ...draft, notify: false });
    assert.deepEqual(await told(storage), []);
  });

  test("a write whose values are large is accepted, and its change has only the names", async ({ storage }) => {
    await createContact(storage);
    await subscribe(storage);
    const name = "x".repeat(70_000);
    accepted(await upsert(storage, { fields: { name }, at: at + 1 }));
    const [change] = (await readAll(storage)).changes;
    assert.deepEqual(change?.kind === "contact_updated" && change.changed, { fields: { name: null }, attributes: {} });
  });
}

export function changeOrder(test: StorageTest): void {
  test("the changes of a transaction are logged after its commit, in the order of the commits", async ({
    storage,
    begin,
  }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    await subscribe(storage);
    const late = await begin();
    await recordEvent(late.inside, { eventKey: "late", createdAt: at - dayMs, recordedAt: at - dayMs });
    await recordEvent(storage, { contact: { email: "bob@example.com" }, eventKey: "early" });
    const { changes: first, position } = await readAll(storage);
    assert.equal(first.length, 1);
    await late.commit();
    assert.deepEqual(await told(storage, { after: position }), ["event_recorded late"]);
    assert.deepEqual(await told(storage), ["event_recorded early", "event_recorded late"]);
  });

  test("a transaction that is rolled back causes no change", async ({ storage, begin }) => {
    await subscribe(storage);
    const { inside, rollback } = await begin();
    await createContact(inside);
    await recordEvent(inside);
    await rollback();
    assert.deepEqual(await told(storage), []);
  });

  test("a transaction that creates and deletes a contact leaves the change of the deletion", async ({
    storage,
    begin,
  }) => {
    await subscribe(storage);
    const { inside, commit } = await begin();
    await createContact(inside);
    accepted(await inside.deleteContact(workspace, "ada@example.com", at));
    await commit();
    assert.deepEqual(await told(storage), ["contact_deleted"]);
  });

  test("writes one after another are logged in their order, in pages of any size", async ({ storage }) => {
    await subscribe(storage);
    await subscribe(storage, { key: "even", on: { events: ["0"] } });
    const emails = ["ada@example.com", "bob@example.com"];
    for (const email of emails) await createContact(storage, { email });
    for (let n = 0; n < 9; n++) {
      // Neither the times nor the ids ascend.
      const draft = { id: idAt(at - n), eventKey: String(n % 3), recordedAt: at - n };
      await recordEvent(storage, { ...draft, contact: { email: emails[n % 2]! } });
    }
    const whole = await readAll(storage);
    assert.deepEqual(
      whole.changes.map(({ at: time }) => time),
      [at, at, ...Array.from({ length: 9 }, (_, n) => at - n)],
    );
    for (const limit of [1, 2, 11, 12]) assert.deepEqual(await readAll(storage, { limit }), whole);
    const positions = whole.changes.map(({ position }) => position);
    assert.deepEqual(
      positions,
      [...new Set(positions)].sort((a, b) => a - b),
    );
    assert.equal((await readAll(storage, { key: "even", limit: 2 })).changes.length, 3);
    assert.deepEqual(await readAll(storage, { after: positions[4]! }), {
      changes: whole.changes.slice(5),
      position: whole.position,
    });
  });

  test("the newest changes are the last that the subscription takes, and end at the end of the log", async ({
    storage,
  }) => {
    await createContact(storage);
    await subscribe(storage, { key: "every", on: { events: true } });
    await recordEvent(storage, { eventKey: "a" });
    await logAll(storage);
    await subscribe(storage, { on: { events: ["a", "b", "c"] } });
    for (const eventKey of ["a", "other", "b", "c", "other"]) await recordEvent(storage, { eventKey });
    const { changes, position } = await readAll(storage);
    assert.deepEqual(await told(storage), ["event_recorded a", "event_recorded b", "event_recorded c"]);
    for (const limit of [1, 2, 3, 4]) {
      const newest = accepted(await storage.listChanges(workspace, "all", "newest", limit));
      assert.deepEqual(newest, { changes: changes.slice(-limit), position });
    }
  });
}

export function changeLimits(test: StorageTest): void {
  test("changes of an unknown subscription are refused", async ({ storage }) => {
    refused(await storage.listChanges(workspace, "all", null, 1), "definition_not_found");
    await subscribe(storage);
    await storage.deleteDefinition(workspace, "subscription", "all");
    refused(await storage.listChanges(workspace, "all", null, 1), "definition_not_found");
  });

  test("a subscription that is deleted and created again begins anew", async ({ storage }) => {
    await subscribe(storage);
    await createContact(storage);
    const { position } = await readAll(storage);
    await storage.deleteDefinition(workspace, "subscription", "all");
    await recordEvent(storage);
    await subscribe(storage);
    await logAll(storage);
    refused(await storage.listChanges(workspace, "all", position, 1), "changes_expired");
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
    refused(await storage.listChanges(workspace, "all", position + 1_000_000_000_000, 1), "changes_expired");
  });

  test("the end of the log grows when a change of any workspace is logged, and is the position of a reader there", async ({
    storage,
  }) => {
    await subscribe(storage);
    await subscribe(storage, { workspace: "other" });
    await logAll(storage);
    const before = await storage.readLogEnd();
    await createContact(storage, { workspace: "other" });
    await logAll(storage);
    const end = await storage.readLogEnd();
    assert.ok(end > before);
    assert.equal((await readAll(storage)).position, end);
    await logAll(storage);
    assert.equal(await storage.readLogEnd(), end);
  });

  test("changes are removed by the longest keepDays, and then a reader before one of its own is refused", async ({
    storage,
  }) => {
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
    refused(await storage.listChanges(workspace, "all", position, 1), "changes_expired");
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

  test("the changes of a workspace are not those of another", async ({ storage }) => {
    await subscribe(storage);
    await subscribe(storage, { workspace: "other" });
    await createContact(storage, { workspace: "other" });
    assert.deepEqual(await told(storage), []);
    const { changes: found } = accepted(await storage.listChanges("other", "all", null, 10));
    assert.equal(found.length, 1);
  });

  test("after the close the methods of changes reject with storage_unavailable", async ({ storage }) => {
    await subscribe(storage);
    await storage.close();
    await rejected(storage.readClock(), "storage_unavailable");
    await rejected(storage.logChanges(), "storage_unavailable");
    await rejected(storage.listChanges(workspace, "all", null, 1), "storage_unavailable");
    await rejected(storage.readLogEnd(), "storage_unavailable");
    await rejected(storage.removeOldChanges(0), "storage_unavailable");
  });
}
