import assert from "node:assert/strict";
import { newId } from "../../lib/ids.ts";
import { accepted, atOnce, countOf, createContact, eventsOf, recordEvent, update } from "./calls.ts";
import { at, eventDraft, keyed, newIds, sha256, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

export function replays(test: StorageTest): void {
  test("an id recorded before is answered as it was then, and counted once", async ({ storage }) => {
    const { id } = await createContact(storage);
    const draft = eventDraft({ properties: '{"n":1}', ...keyed("k") });
    const [first] = await storage.recordEvents([draft]);
    for (const again of [draft, { ...draft, eventKey: "other", properties: '{"n":2}' }]) {
      assert.deepEqual(await storage.recordEvents([again]), [first]);
      assert.deepEqual(await storage.recordEvents([{ ...again, idempotencyHash: null, fingerprint: null }]), [first]);
    }
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [first]);
    assert.deepEqual(await storage.findSummaries(workspace, id), [
      { eventKey: "step", count: 1, firstAt: at, lastAt: at },
    ]);
  });

  test("an id twice in one array is recorded once", async ({ storage }) => {
    const contact = await createContact(storage);
    const id = newId(at);
    const [first, second] = await storage.recordEvents([
      eventDraft({ id, properties: '{"n":1}' }),
      eventDraft({ id, properties: '{"n":2}' }),
    ]);
    assert.equal(first?.properties, '{"n":1}');
    assert.deepEqual(second, first);
    assert.equal(await countOf(storage, contact.id), 1);
  });

  test("an id 20 times at once is recorded once", async ({ storage }) => {
    const contact = await createContact(storage);
    const id = newId(at);
    const rows = await atOnce(20, (index) => recordEvent(storage, { id, properties: `{"n":${index}}` }));
    const [stored, ...others] = (await eventsOf(storage, "ada@example.com"))!;
    assert.deepEqual(others, []);
    for (const row of rows) assert.deepEqual(row, stored);
    assert.equal(await countOf(storage, contact.id), 1);
  });

  test("an idempotency hash recorded before is answered as it was then, with its fingerprint, and counted once", async ({
    storage,
  }) => {
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
    for (const other of others) assert.deepEqual(await storage.recordEvents([other]), [first]);
    assert.equal(first.fingerprint, sha256("first input"));
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [first]);
    assert.deepEqual(await eventsOf(storage, "bob@example.com"), []);
    assert.deepEqual(await storage.findSummaries(workspace, id), [
      { eventKey: "step", count: 1, firstAt: at, lastAt: at },
    ]);
  });

  test("an idempotency hash twice in one array is recorded once, and answered with the first fingerprint", async ({
    storage,
  }) => {
    const contact = await createContact(storage);
    const [first, second] = await storage.recordEvents([
      eventDraft({ properties: '{"n":1}', ...keyed("k", "first input") }),
      eventDraft({ properties: '{"n":2}', ...keyed("k", "second input") }),
    ]);
    assert.deepEqual([first?.properties, first?.fingerprint], ['{"n":1}', sha256("first input")]);
    assert.deepEqual(second, first);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [first]);
    assert.equal(await countOf(storage, contact.id), 1);
  });

  test("an idempotency hash 20 times at once is recorded once, and all are answered with that event", async ({
    storage,
  }) => {
    const contact = await createContact(storage);
    const ids = newIds(20);
    const rows = await atOnce(20, (index) =>
      recordEvent(storage, { id: ids[index]!, ...keyed("k", `input ${index}`) }),
    );
    const [stored, ...others] = (await eventsOf(storage, "ada@example.com"))!;
    assert.deepEqual(others, []);
    for (const row of rows) assert.deepEqual(row, stored);
    assert.equal(stored?.fingerprint, sha256(`input ${ids.indexOf(stored?.id ?? "")}`));
    assert.equal(await countOf(storage, contact.id), 1);
  });

  test("an idempotency hash of several contacts at once is recorded for one of them", async ({ storage }) => {
    const contacts = await atOnce(10, (index) => createContact(storage, { email: `${index}@example.com` }));
    const rows = await atOnce(10, (index) =>
      recordEvent(storage, { contact: { email: `${index}@example.com` }, ...keyed("k") }),
    );
    for (const row of rows) assert.deepEqual(row, rows[0]);
    const counts = await Promise.all(contacts.map(({ id }) => countOf(storage, id)));
    assert.deepEqual(
      contacts.map(({ id }) => id).filter((_, index) => counts[index]! > 0),
      [rows[0]?.contactId],
    );
    assert.equal(Math.max(...counts), 1);
  });

  test("a replay among new events is answered in its place", async ({ storage }) => {
    await createContact(storage);
    const first = await recordEvent(storage, keyed("k"));
    const [one, two] = newIds(2) as [string, string];
    const rows = await storage.recordEvents([
      eventDraft({ id: one }),
      eventDraft(keyed("k")),
      eventDraft({ id: first.id }),
      eventDraft({ id: two }),
    ]);
    assert.deepEqual(
      rows.map((row) => row?.id),
      [one, first.id, first.id, two],
    );
  });

  test("an idempotency hash is answered as it was also when the contact is called otherwise since", async ({
    storage,
  }) => {
    await createContact(storage, { fields: { externalId: "u_1" } });
    const draft = eventDraft({ contact: { externalId: "u_1" }, ...keyed("k") });
    const [first] = await storage.recordEvents([draft]);
    assert.ok(first);
    const again = { ...draft, id: newId(at) };
    accepted(await update(storage, { externalId: "u_1", fields: { email: "ada@new.example", externalId: "u_2" } }));
    assert.deepEqual(await storage.recordEvents([again]), [first]);
    await createContact(storage, { email: "bob@example.com", fields: { externalId: "u_1" } });
    assert.deepEqual(await storage.recordEvents([again]), [first]);
    assert.deepEqual(await eventsOf(storage, "u_1"), []);
    assert.equal(await countOf(storage, first.contactId), 1);
  });

  test("events without an idempotency key are all recorded", async ({ storage }) => {
    const { id } = await createContact(storage);
    const rows = await storage.recordEvents([eventDraft(), eventDraft(), eventDraft()]);
    assert.equal(new Set(rows.map((row) => row?.id)).size, 3);
    assert.equal(await countOf(storage, id), 3);
  });

  test("idempotency hashes that differ in one digit are two", async ({ storage }) => {
    const { id } = await createContact(storage);
    const fingerprint = sha256("input");
    for (const last of ["a", "b", "0"])
      await recordEvent(storage, { idempotencyHash: "a".repeat(63) + last, fingerprint });
    assert.equal(await countOf(storage, id), 3);
  });
}
