import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { EventDraft } from "../../../lib/storage/rows.ts";
import { atOnce, countOf, createContact, eventsOf, record, recordEvent, recordAll } from "../calls.ts";
import { at, eventDraft, keyed, newIds, sha256, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

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
    assert.deepEqual(await recordAll(storage, [draft]), [event]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [event]);
    assert.deepEqual(await storage.findSummaries(workspace, contact.id), [
      { eventKey: "signup_completed", count: 1, firstAt: 1_769_850_000_123, lastAt: 1_769_850_000_123 },
    ]);
  });

  test("an event changes nothing of its contact", async ({ storage }) => {
    const contact = await createContact(storage);
    await recordEvent(storage, { createdAt: at + 1 });
    assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), contact);
  });

  test("an event of a contact that does not exist is answered with null, and leaves nothing", async ({ storage }) => {
    const draft = eventDraft(keyed("k"));
    assert.deepEqual(await recordAll(storage, [draft]), [null]);
    const { id } = await createContact(storage);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), []);
    assert.deepEqual(await storage.findSummaries(workspace, id), []);
    const [byHash] = await recordAll(storage, [{ ...draft, id: newId(at) }]);
    assert.notEqual(byHash?.id, draft.id);
    const [byId] = await recordAll(storage, [{ ...draft, idempotencyHash: null, fingerprint: null }]);
    assert.equal(byId?.id, draft.id);
    assert.equal(await countOf(storage, id), 2);
  });

  test("recording an empty array is answered with an empty array", async ({ storage }) => {
    assert.deepEqual(await recordAll(storage, []), []);
  });

  test("events are answered in input order, those without a contact with null", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    const bob = await createContact(storage, { email: "bob@example.com" });
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    const results = await recordAll(storage, [
      eventDraft({ id: four, contact: { externalId: "bob@example.com" } }),
      eventDraft({ id: two, contact: { externalId: "carol@example.com" } }),
      eventDraft({ id: three, contact: { externalId: "ada@example.com" } }),
      eventDraft({ id: one, contact: { email: "bob@example.com" } }),
    ]);
    const answered = results.map((row) => row && [row.id, row.contactId]);
    assert.deepEqual(answered, [[four, bob.id], null, [three, ada.id], [one, bob.id]]);
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
    const recorded = await recordAll(
      storage,
      texts.map((properties) => eventDraft({ properties })),
    );
    const listedTexts = recorded.map((row) => row?.properties);
    assert.deepEqual(listedTexts, texts);
    const listed = await eventsOf(storage, "ada@example.com");
    assert.deepEqual(listed?.map(({ properties }) => properties).toReversed(), texts);
  });

  test("properties are kept as long as they may be", async ({ storage }) => {
    await createContact(storage);
    // 256 properties of 4,096 bytes each, with names of 100 bytes.
    const entries = Array.from({ length: 256 }, (_, index) => [`${index}`.padEnd(100, "n"), "😀".repeat(1_024)]);
    const properties = JSON.stringify(Object.fromEntries(entries));
    await recordEvent(storage, { properties });
    const [listed] = (await eventsOf(storage, "ada@example.com")) ?? [];
    // `equal` would put both texts into its message.
    assert.ok(listed?.properties === properties);
  });

  test("50 events of one contact at once are all recorded and counted", async ({ storage }) => {
    const { id } = await createContact(storage);
    const ids = newIds(50);
    const recorded = await Promise.all(ids.map((eventId) => recordEvent(storage, { id: eventId })));
    const recordedIds = recorded.map((row) => row.id);
    assert.deepEqual(recordedIds, ids);
    const listedIds = (await eventsOf(storage, "ada@example.com"))?.map((row) => row.id);
    assert.deepEqual(listedIds, ids.toReversed());
    assert.equal(await countOf(storage, id), 50);
  });

  test("arrays that name the same contacts in opposite orders at once are all recorded", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    const bob = await createContact(storage, { email: "bob@example.com" });
    const ofAda = (): ReturnType<typeof eventDraft> => eventDraft({ contact: { email: "ada@example.com" } });
    const ofBob = (): ReturnType<typeof eventDraft> => eventDraft({ contact: { email: "bob@example.com" } });
    const results = await atOnce(20, (index) =>
      recordAll(storage, index % 2 === 0 ? [ofAda(), ofBob()] : [ofBob(), ofAda()]),
    );
    assert.ok(results.flat().every((row) => row !== null));
    assert.equal(await countOf(storage, ada.id), 20);
    assert.equal(await countOf(storage, bob.id), 20);
  });

  test("an event at once with its contact's creation is recorded and counted, or null", async ({ storage }) => {
    const [contact, ...rows] = await Promise.all([
      createContact(storage),
      ...Array.from({ length: 20 }, () => record(storage)),
    ]);
    const listed = await eventsOf(storage, "ada@example.com");
    assert.equal(await countOf(storage, contact.id), listed?.length);
    for (const row of rows) if (row) assert.ok(listed?.some(({ id }) => id === row.id));
  });
}

const oneId = newId(at);

// Events of one id, or of one hash. Each has properties of its own.
const repeated: Record<string, (n: number) => EventDraft> = {
  "an id": (n) => eventDraft({ id: oneId, properties: `{"n":${n}}` }),
  "a hash": (n) => eventDraft({ properties: `{"n":${n}}`, ...keyed("k", `input ${n}`) }),
};

export function replays(test: StorageTest): void {
  test("an id recorded before is answered as it was then, and counted once", async ({ storage }) => {
    const { id } = await createContact(storage);
    const draft = eventDraft({ properties: '{"n":1}', ...keyed("k") });
    const [first] = await recordAll(storage, [draft]);
    for (const again of [draft, { ...draft, eventKey: "other", properties: '{"n":2}' }]) {
      assert.deepEqual(await recordAll(storage, [again]), [first]);
      assert.deepEqual(await recordAll(storage, [{ ...again, idempotencyHash: null, fingerprint: null }]), [first]);
    }
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [first]);
    assert.deepEqual(await storage.findSummaries(workspace, id), [
      { eventKey: "step", count: 1, firstAt: at, lastAt: at },
    ]);
  });

  for (const [what, draftOf] of Object.entries(repeated)) {
    test(`${what} twice in one array is recorded once, and answered as the first`, async ({ storage }) => {
      const contact = await createContact(storage);
      const draft = draftOf(1);
      const [first, second] = await recordAll(storage, [draft, draftOf(2)]);
      assert.deepEqual([first?.properties, first?.fingerprint], [draft.properties, draft.fingerprint]);
      assert.deepEqual(second, first);
      assert.deepEqual(await eventsOf(storage, "ada@example.com"), [first]);
      assert.equal(await countOf(storage, contact.id), 1);
    });

    test(`${what} 20 times at once is recorded once, and all are answered with that event`, async ({ storage }) => {
      const contact = await createContact(storage);
      const drafts = Array.from({ length: 20 }, (_, n) => draftOf(n));
      const rows = await Promise.all(drafts.map((draft) => recordEvent(storage, draft)));
      const [stored, ...others] = (await eventsOf(storage, "ada@example.com")) ?? [];
      assert.deepEqual(others, []);
      for (const row of rows) assert.deepEqual(row, stored);
      const { id, fingerprint } = drafts.find(({ properties }) => properties === stored?.properties)!;
      assert.deepEqual([stored?.id, stored?.fingerprint], [id, fingerprint]);
      assert.equal(await countOf(storage, contact.id), 1);
    });
  }

  test("an event with a known hash is answered as it was, with its fingerprint, uncounted", async ({ storage }) => {
    const { id } = await createContact(storage);
    await createContact(storage, { email: "bob@example.com" });
    const first = await recordEvent(storage, keyed("k", "first input"));
    const again = keyed("k", "second input");
    const others = [
      eventDraft(keyed("k", "first input")),
      eventDraft({ ...again, eventKey: "other", properties: '{"n":2}', createdAt: at + 1 }),
      eventDraft({ ...again, contact: { email: "bob@example.com" } }),
      eventDraft({ ...again, contact: { externalId: "nobody" } }),
    ];
    for (const other of others) assert.deepEqual(await recordAll(storage, [other]), [first]);
    assert.equal(first.fingerprint, sha256("first input"));
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [first]);
    assert.deepEqual(await eventsOf(storage, "bob@example.com"), []);
    assert.deepEqual(await storage.findSummaries(workspace, id), [
      { eventKey: "step", count: 1, firstAt: at, lastAt: at },
    ]);
  });

  test("an idempotency hash of several contacts at once is recorded for one of them", async ({ storage }) => {
    const contacts = await atOnce(10, (index) => createContact(storage, { email: `${index}@example.com` }));
    const rows = await atOnce(10, (index) =>
      recordEvent(storage, { contact: { email: `${index}@example.com` }, ...keyed("k") }),
    );
    for (const row of rows) assert.deepEqual(row, rows[0]);
    const counted = await Promise.all(contacts.map(async ({ id }) => ({ id, count: await countOf(storage, id) })));
    assert.deepEqual(
      counted.filter(({ count }) => count > 0),
      [{ id: rows[0]?.contactId, count: 1 }],
    );
  });

  test("a replay among new events is answered at its position", async ({ storage }) => {
    await createContact(storage);
    const first = await recordEvent(storage, keyed("k"));
    const [one, two] = newIds(2) as [string, string];
    const rows = await recordAll(storage, [
      eventDraft({ id: one }),
      eventDraft(keyed("k")),
      eventDraft({ id: first.id }),
      eventDraft({ id: two }),
    ]);
    const ids = rows.map((row) => row?.id);
    assert.deepEqual(ids, [one, first.id, first.id, two]);
  });

  test("idempotency hashes that differ in one digit are two", async ({ storage }) => {
    const { id } = await createContact(storage);
    const fingerprint = sha256("input");
    for (const last of ["a", "b", "0"])
      await recordEvent(storage, { idempotencyHash: "a".repeat(63) + last, fingerprint });
    assert.equal(await countOf(storage, id), 3);
  });
}

export function summaries(test: StorageTest): void {
  test("a summary is exact for events of one array and of many calls at once, in any order", async ({ storage }) => {
    const { id } = await createContact(storage);
    await recordAll(
      storage,
      [at + 5, at + 1, at + 9].map((createdAt) => eventDraft({ createdAt })),
    );
    await atOnce(20, (index) => recordEvent(storage, { createdAt: index % 2 === 0 ? at - index : at + 20 - index }));
    assert.deepEqual(await storage.findSummaries(workspace, id), [
      { eventKey: "step", count: 23, firstAt: at - 18, lastAt: at + 19 },
    ]);
  });

  test("there is one summary for each event key, and each contact has its own", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    const bob = await createContact(storage, { email: "bob@example.com" });
    await recordAll(storage, [
      eventDraft({ eventKey: "b" }),
      eventDraft({ eventKey: "a", createdAt: at + 1 }),
      eventDraft({ eventKey: "b", createdAt: at + 2 }),
      eventDraft({ eventKey: "b", createdAt: at + 3, contact: { email: "bob@example.com" } }),
    ]);
    assert.deepEqual(await storage.findSummaries(workspace, ada.id), [
      { eventKey: "a", count: 1, firstAt: at + 1, lastAt: at + 1 },
      { eventKey: "b", count: 2, firstAt: at, lastAt: at + 2 },
    ]);
    assert.deepEqual(await storage.findSummaries(workspace, bob.id), [
      { eventKey: "b", count: 1, firstAt: at + 3, lastAt: at + 3 },
    ]);
  });

  test("summaries are in the order of their keys' bytes, not of their UTF-16 units or letters", async ({ storage }) => {
    const { id } = await createContact(storage);
    const eventKeys = ["\u{1f600}", "\uff5e", "é", "b", "a", "B", "aa", "a ", "_", "Z"];
    await recordAll(
      storage,
      eventKeys.map((eventKey) => eventDraft({ eventKey })),
    );
    const listedKeys = (await storage.findSummaries(workspace, id)).map(({ eventKey }) => eventKey);
    assert.deepEqual(listedKeys, ["B", "Z", "_", "a", "a ", "aa", "b", "é", "\uff5e", "\u{1f600}"]);
  });
}
