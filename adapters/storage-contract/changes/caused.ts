/** The tests of the changes that each write causes. */
import assert from "node:assert/strict";
import type { ChangeRow } from "../../../lib/storage/changes.ts";
import { accepted, createContact, recordEvent, update, upsert } from "../calls.ts";
import {
  at,
  checklistDraft,
  completionDraft,
  contactDraft,
  dismissalDraft,
  eventDraft,
  idAt,
  workspace,
} from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { readAll, subscribe, told } from "../log.ts";

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
      found.map(({ id: _id, position: _position, ...change }) => change),
      [
        {
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
    const draft = completionDraft({ checklistId: id });
    await recordEvent(storage);
    await Promise.all([storage.insertCompletion(draft), storage.insertCompletion(draft)]);
    await storage.insertCompletion({ ...draft, itemKey: "unknown" });
    await createContact(storage, { email: "bob@example.com" });
    await storage.insertCompletion({ ...draft, externalId: "bob@example.com" });
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    const once = ["item_completed first", "item_completed hand", "checklist_completed start"];
    assert.deepEqual(await told(storage), [...once, "item_completed hand", "item_completed first", once[2]]);
  });

  test("a dismissal is no change", async ({ storage }) => {
    await subscribe(storage);
    await createContact(storage);
    const draft = dismissalDraft();
    for (const dismissedAt of [at, null]) await storage.putDismissal({ ...draft, dismissedAt });
    assert.deepEqual(await told(storage), ["contact_created"]);
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
    const draft = completionDraft({ checklistId: id });
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
