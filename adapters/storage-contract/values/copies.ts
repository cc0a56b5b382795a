import assert from "node:assert/strict";
import { frozen } from "../../../lib/decisions/definition-writes.ts";
import { newId } from "../../../lib/model/ids.ts";
import type { Span } from "../../../lib/storage/rows.ts";
import { accepted, allContacts, createContact, newAttributes, eventsOf, recordAll, recordEvent } from "../calls.ts";
import {
  apiKeyRow,
  at,
  completionDraft,
  contactDraft,
  contactUpdate,
  definitionDraft,
  dismissalDraft,
  eventDraft,
  eventTypeDraft,
  keyed,
  wholeList,
  workspace,
  ownerOf,
  rowsUpTo,
} from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

function spoil(value: object): void {
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === "object" && item !== null) spoil(item as object);
    Reflect.set(value, key, "spoilt");
  }
}

/** Makes the call, and changes its input before anything can be awaited. */
export function spoiling<Input extends object, Result>(
  input: Input,
  call: (input: Input) => Promise<Result>,
): Promise<Result> {
  const result = call(input);
  spoil(input);
  return result;
}

export function copies(test: StorageTest): void {
  test("changing upserted items after the call changes nothing that is stored", async ({ storage }) => {
    const [attribute] = await newAttributes(storage, 1);
    const draft = (): ReturnType<typeof contactDraft> =>
      contactDraft({ fields: { name: "Ada", externalId: "u_1" }, attributes: { [attribute]: 1 } });
    const [created] = await spoiling([draft()], (items) => storage.upsertContacts(items));
    const { contact } = accepted(created);
    assert.deepEqual([contact.name, contact.externalId, contact.attributes], ["Ada", "u_1", { [attribute]: 1 }]);
    const [again] = await spoiling([draft()], (items) => storage.upsertContacts(items));
    assert.deepEqual(again, { contact, created: false });
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("changing an update after the call changes nothing that is stored", async ({ storage }) => {
    const [attribute] = await newAttributes(storage, 1);
    const ada = await createContact(storage);
    const update = contactUpdate({ fields: { name: "Ada" }, attributes: { [attribute]: 1 }, at: at + 1 });
    const updated = await spoiling(update, (input) => storage.updateContact(input));
    assert.deepEqual(updated, { ...ada, name: "Ada", attributes: { [attribute]: 1 }, updatedAt: at + 1 });
    assert.deepEqual(await allContacts(storage), [updated]);
  });

  test("changing events after the call changes nothing that is stored", async ({ storage }) => {
    const { id } = await createContact(storage);
    const drafts = [
      eventDraft({ contact: { externalId: "ada@example.com" }, properties: '{"n":1}', ...keyed("k") }),
      eventDraft({ contact: { email: "ada@example.com" } }),
    ];
    const rows = await spoiling(drafts, (items) => recordAll(storage, items));
    assert.deepEqual([rows[0]?.contactId, rows[0]?.properties, rows[0]?.eventKey], [id, '{"n":1}', "step"]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), rows.toReversed());
    assert.deepEqual(await recordAll(storage, [eventDraft(keyed("k"))]), [rows[0]]);
  });

  test("changing a definition after the call changes nothing that is stored", async ({ storage }) => {
    for (const draft of [definitionDraft({ name: "Seats" }), eventTypeDraft({ properties: { total: "number" } })]) {
      const { kind, body } = structuredClone(draft);
      const stored = await spoiling(draft, (input) => storage.putDefinition(input));
      assert.deepEqual(accepted(stored).body, body);
      assert.deepEqual(await storage.listDefinitions(workspace, kind), [stored]);
    }
  });

  test("changing an API key after the call changes nothing that is stored", async ({ storage }) => {
    const row = apiKeyRow();
    assert.equal(await spoiling({ ...row }, (input) => storage.insertApiKey(input)), true);
    assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(row));
    assert.deepEqual(await storage.listApiKeys(workspace), [row]);
  });

  test("changing a reference, a slice, a span or a window after the call changes nothing", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    for (const reference of [{ email: "ada@example.com" }, { externalId: "ada@example.com" }]) {
      assert.deepEqual(await spoiling(reference, (given) => storage.findContact(workspace, given)), ada);
    }
    const bob = await createContact(storage, { email: "bob@example.com" });
    const [first, second] = [await recordEvent(storage), await recordEvent(storage)];
    const contacts = await spoiling({ ...wholeList, limit: 1, after: { createdAt: at, id: ada.id } }, (slice) =>
      storage.listContacts(workspace, slice),
    );
    assert.deepEqual(contacts, { rows: [bob], more: false });
    const events = await spoiling({ ...rowsUpTo(1), after: { createdAt: at, id: second.id } }, (slice) =>
      storage.listEvents(workspace, "ada@example.com", null, slice),
    );
    assert.deepEqual(events, { rows: [first], more: false });
    const count = (spans: Span[]) => storage.countActivity(workspace, null, spans, at);
    const activity = { events: 2, contacts: 1, newContacts: 2 };
    assert.deepEqual(await spoiling([{ from: at, to: at + 1 }], count), [activity]);

    const row = apiKeyRow();
    await storage.insertApiKey(row);
    await spoiling({ startsAt: at, endsAt: at + 60_000, now: at }, (window) => storage.consume(row.id, 100, window, 1));
    assert.equal(
      (await storage.consume(row.id, 100, { startsAt: at, endsAt: at + 60_000, now: at }, 1)).takenBefore,
      1,
    );
    assert.deepEqual(await storage.listApiKeys(workspace), [{ ...row, lastUsedAt: at }]);
  });

  test("no method changes its input", async ({ storage }) => {
    const [attribute] = await newAttributes(storage, 1);
    await storage.upsertContacts(frozen([contactDraft({ fields: { name: "Ada" }, attributes: { [attribute]: 1 } })]));
    await storage.upsertContacts(frozen([contactDraft({ attributes: { [attribute]: null } })]));
    await storage.updateContact(frozen(contactUpdate({ fields: { plan: "pro" }, attributes: { [attribute]: 2 } })));
    await recordAll(storage, frozen([eventDraft(keyed("k")), eventDraft(keyed("k"))]));
    await storage.putDefinition(frozen(definitionDraft()));
    const row = frozen(apiKeyRow());
    await storage.insertApiKey(row);
    await storage.consume(row.id, 100, frozen({ startsAt: at, endsAt: at + 60_000, now: at }), 1);
    assert.equal((await storage.listContacts(workspace, frozen({ ...wholeList }))).rows.length, 1);
    assert.equal(
      (await storage.listEvents(workspace, "ada@example.com", null, frozen({ ...wholeList })))?.rows.length,
      1,
    );
    assert.equal(row.lastUsedAt, null);
  });

  test("changing an answer changes no later answer", async ({ storage }) => {
    const row = apiKeyRow();
    await storage.insertApiKey(row);
    const attribute = newId(at);
    await storage.putDefinition(definitionDraft({ id: attribute, name: "Seats" }));
    const attributes = { [attribute]: 1 };
    const draft = eventDraft();
    const { id } = await createContact(storage, { attributes });
    await recordAll(storage, [draft, eventDraft(keyed("k"))]);
    await storage.insertCompletion(completionDraft());
    await storage.putDismissal(dismissalDraft());
    const calls: (() => Promise<unknown>)[] = [
      () => storage.upsertContacts([contactDraft({ attributes })]),
      () => storage.updateContact(contactUpdate({ attributes })),
      () => storage.findContact(workspace, { externalId: "ada@example.com" }),
      () => allContacts(storage),
      () => recordAll(storage, [draft]),
      () => recordAll(storage, [eventDraft(keyed("k"))]),
      () => eventsOf(storage, "ada@example.com"),
      () => storage.findSummaries(workspace, id),
      () => storage.findCompletions(workspace, id),
      () => storage.findDismissals(workspace, id),
      () => storage.putDefinition(definitionDraft({ name: "Seats" })),
      () => storage.listDefinitions(workspace, "attribute"),
      () => storage.findApiKey(row.hash),
      () => storage.listApiKeys(workspace),
    ];
    const expected: unknown[] = [];
    for (const call of calls) expected.push(structuredClone(await call()));
    for (const call of calls) spoil((await call()) as object);
    for (const [index, call] of calls.entries()) assert.deepEqual(await call(), expected[index]);
  });

  test("changing the answer of a first write changes nothing that is stored", async ({ storage }) => {
    const attribute = newId(at);
    spoil(await storage.putDefinition(definitionDraft({ id: attribute, name: "Seats" })));
    spoil(await storage.upsertContacts([contactDraft({ fields: { name: "Ada" }, attributes: { [attribute]: 1 } })]));
    spoil(await recordAll(storage, [eventDraft()]));
    const [contact] = await allContacts(storage);
    assert.deepEqual([contact?.name, Object.values(contact?.attributes ?? {})], ["Ada", [1]]);
    assert.equal((await eventsOf(storage, "ada@example.com"))?.[0]?.eventKey, "step");
    assert.equal((await storage.listDefinitions(workspace, "attribute"))[0]?.body.name, "Seats");
  });

  test("two answers of one array share nothing", async ({ storage }) => {
    const [attribute] = await newAttributes(storage, 1);
    const [first, second] = await storage.upsertContacts([
      contactDraft({ fields: { name: "Ada" }, attributes: { [attribute]: 1 } }),
      contactDraft(),
    ]);
    const [event, replay] = await recordAll(storage, [eventDraft(keyed("k")), eventDraft(keyed("k"))]);
    const expected = structuredClone([second, replay]);
    assert.ok(first && event);
    spoil(first);
    spoil(event);
    assert.deepEqual([second, replay], expected);
  });
}
