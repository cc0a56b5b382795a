import assert from "node:assert/strict";
import { newId } from "../../lib/ids.ts";
import { atOnce, countOf, createContact, eventsOf, record, recordEvent } from "./calls.ts";
import { at, eventDraft, keyed, newIds, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

export function events(test: StorageTest): void {
  test("an event is recorded as it was given, together with its summary", async ({ storage }) => {
    const contact = await createContact(storage);
    const id = newId(at);
    const draft = eventDraft({
      id,
      eventKey: "signup_completed",
      properties: '{"plan":"pro"}',
      createdAt: 1_769_850_000_123,
      ...keyed("k"),
    });
    const { idempotencyHash, fingerprint } = draft;
    const event = {
      id,
      contactId: contact.id,
      eventKey: "signup_completed",
      properties: '{"plan":"pro"}',
      createdAt: 1_769_850_000_123,
      idempotencyHash,
      fingerprint,
      completedItems: null,
    };
    assert.deepEqual(await storage.recordEvents([draft]), [event]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [event]);
    assert.deepEqual(await storage.findSummaries(workspace, contact.id), [
      { eventKey: "signup_completed", count: 1, firstAt: 1_769_850_000_123, lastAt: 1_769_850_000_123 },
    ]);
  });

  test("an event changes nothing of its contact", async ({ storage }) => {
    const contact = await createContact(storage);
    await recordEvent(storage, { createdAt: at + 1 });
    assert.deepEqual(await storage.findContact(workspace, "ada@example.com"), contact);
  });

  test("an event of a contact that does not exist is answered with null, and leaves nothing", async ({ storage }) => {
    const draft = eventDraft(keyed("k"));
    assert.deepEqual(await storage.recordEvents([draft]), [null]);
    const { id } = await createContact(storage);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), []);
    assert.deepEqual(await storage.findSummaries(workspace, id), []);
    const [byHash] = await storage.recordEvents([{ ...draft, id: newId(at) }]);
    assert.notEqual(byHash?.id, draft.id);
    const [byId] = await storage.recordEvents([{ ...draft, idempotencyHash: null, fingerprint: null }]);
    assert.equal(byId?.id, draft.id);
    assert.equal(await countOf(storage, id), 2);
  });

  test("no events are answered with none", async ({ storage }) => {
    assert.deepEqual(await storage.recordEvents([]), []);
  });

  test("events are answered in input order, those without a contact with null", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    const bob = await createContact(storage, { email: "bob@example.com" });
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    const results = await storage.recordEvents([
      eventDraft({ id: four, contact: { externalId: "bob@example.com" } }),
      eventDraft({ id: two, contact: { externalId: "carol@example.com" } }),
      eventDraft({ id: three, contact: { externalId: "ada@example.com" } }),
      eventDraft({ id: one, contact: { email: "bob@example.com" } }),
    ]);
    assert.deepEqual(
      results.map((row) => row && [row.id, row.contactId]),
      [[four, bob.id], null, [three, ada.id], [one, bob.id]],
    );
    assert.equal(await countOf(storage, ada.id), 1);
    assert.equal(await countOf(storage, bob.id), 2);
  });

  test("properties are kept as they were written", async ({ storage }) => {
    await createContact(storage);
    const texts = [
      '{ "b" : 1.0,\n\t"a":1e0, "c":"\\u00e9\\/" }',
      '{"10":1,"9":2,"a":3,"":4}',
      '{"__proto__":"odd","constructor":"odd"}',
      '{"n":-0,"m":5e-324,"o":9007199254740991,"p":0.1}',
      '{"NUL":"\\u0000","%_\\\\\'\\"":"é e\u0301 ß 👩‍🚀\u2028"}',
    ];
    const recorded = await storage.recordEvents(texts.map((properties) => eventDraft({ properties })));
    assert.deepEqual(
      recorded.map((row) => row?.properties),
      texts,
    );
    const listed = await eventsOf(storage, "ada@example.com");
    assert.deepEqual(listed?.map(({ properties }) => properties).toReversed(), texts);
  });

  test("properties are kept as long as they may be", async ({ storage }) => {
    await createContact(storage);
    // 256 of 4,096 bytes each, with names of 100.
    const entries = Array.from({ length: 256 }, (_, index) => [`${index}`.padEnd(100, "n"), "😀".repeat(1_024)]);
    const properties = JSON.stringify(Object.fromEntries(entries));
    await recordEvent(storage, { properties });
    const [listed] = (await eventsOf(storage, "ada@example.com")) ?? [];
    // Not `equal`, whose message would hold both.
    assert.ok(listed?.properties === properties);
  });

  test("50 events of one contact at once are all recorded and counted", async ({ storage }) => {
    const { id } = await createContact(storage);
    const ids = newIds(50);
    const recorded = await atOnce(50, (index) => recordEvent(storage, { id: ids[index]! }));
    assert.deepEqual(
      recorded.map((row) => row.id),
      ids,
    );
    assert.deepEqual(
      (await eventsOf(storage, "ada@example.com"))?.map((row) => row.id),
      ids.toReversed(),
    );
    assert.equal(await countOf(storage, id), 50);
  });

  test("arrays that name the same contacts in opposite orders at once are all recorded", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    const bob = await createContact(storage, { email: "bob@example.com" });
    const ofAda = (): ReturnType<typeof eventDraft> => eventDraft({ contact: { email: "ada@example.com" } });
    const ofBob = (): ReturnType<typeof eventDraft> => eventDraft({ contact: { email: "bob@example.com" } });
    const results = await atOnce(20, (index) =>
      storage.recordEvents(index % 2 === 0 ? [ofAda(), ofBob()] : [ofBob(), ofAda()]),
    );
    assert.ok(results.flat().every((row) => row !== null));
    assert.equal(await countOf(storage, ada.id), 20);
    assert.equal(await countOf(storage, bob.id), 20);
  });

  test("an event and the creation of its contact at once: it is recorded and counted, or answered with null", async ({
    storage,
  }) => {
    const [contact, ...rows] = await Promise.all([
      createContact(storage),
      ...Array.from({ length: 20 }, () => record(storage)),
    ]);
    const listed = await eventsOf(storage, "ada@example.com");
    assert.equal(await countOf(storage, contact.id), listed?.length);
    for (const row of rows) if (row) assert.ok(listed?.some(({ id }) => id === row.id));
  });
}
