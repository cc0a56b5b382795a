import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { EventDraft, EventRow, Refused } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, countOf, createContact, eventsOf, faultless, recordEvent, refused, update } from "../calls.ts";
import { at, eventDraft, eventTypeDraft, keyed, workspace, rowsUpTo } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

const properties = { total: "number", coupon: "text?" } as const;

async function define(storage: Storage, parts: Parameters<typeof eventTypeDraft>[0] = { properties }): Promise<void> {
  accepted(await storage.putDefinition(eventTypeDraft(parts)));
}

async function send(storage: Storage, parts: Partial<EventDraft> = {}): Promise<EventRow | Refused | null | undefined> {
  const [answer] = await storage.recordEvents([eventDraft(parts)]);
  return answer && faultless(answer);
}

/** The issues of the answer, which must be a refusal, each as `path code`. */
function issuesOf(answer: EventRow | Refused | null | undefined): string[] {
  return refused(answer, "invalid_input").issues;
}

export function eventTypes(test: StorageTest): void {
  test("an event that its event type refuses is a refusal with all issues, and leaves nothing", async ({ storage }) => {
    const { id } = await createContact(storage);
    await define(storage);
    const draft = { properties: '{"coupon":1,"totals":2}', ...keyed("k") };
    assert.deepEqual(issuesOf(await send(storage, draft)), [
      "properties.total required",
      "properties.coupon wrong_type",
      "properties.totals unknown_field",
    ]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), []);
    assert.equal(await countOf(storage, id), 0);
    // The refusal has left the idempotency hash free.
    const event = await recordEvent(storage, { properties: '{"total":1}', ...keyed("k", "another input") });
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [event]);
  });

  test("an event without a contact is refused like any other", async ({ storage }) => {
    await define(storage);
    assert.deepEqual(issuesOf(await send(storage)), ["properties.total required"]);
    assert.equal(await send(storage, { properties: '{"total":1}' }), null);
  });

  test("an event of a key without an event type is recorded, unless it must be defined", async ({ storage }) => {
    await createContact(storage);
    await define(storage, { key: "Step" });
    assert.deepEqual(issuesOf(await send(storage, { mustBeDefined: true })), ["eventKey event_not_defined"]);
    await recordEvent(storage);
    await recordEvent(storage, { eventKey: "Step", mustBeDefined: true, properties: '{"any":1}' });
    assert.equal((await eventsOf(storage, "ada@example.com"))?.length, 2);
  });

  test("of the events of one call those that are accepted are recorded", async ({ storage }) => {
    const { id } = await createContact(storage);
    await define(storage);
    const drafts = ["{}", '{"total":1}', '{"total":"1"}', '{"total":2}', "{}"].map((sent) =>
      eventDraft({ properties: sent }),
    );
    const answers = await storage.recordEvents(drafts);
    const answered = answers.map((answer) => answer && "refused" in answer);
    assert.deepEqual(answered, [true, false, true, false, true]);
    assert.deepEqual((await eventsOf(storage, "ada@example.com"))?.map(({ id: event }) => event).sort(), [
      drafts[1]!.id,
      drafts[3]!.id,
    ]);
    assert.equal(await countOf(storage, id), 2);
  });

  test("a change of an event type counts for the next event", async ({ storage }) => {
    await createContact(storage);
    await recordEvent(storage);
    await define(storage);
    issuesOf(await send(storage));
    await define(storage, { properties: { total: "number?" } });
    await recordEvent(storage);
    await define(storage);
    issuesOf(await send(storage));
    await storage.deleteDefinition(workspace, "event", "step");
    await recordEvent(storage);
    assert.equal((await eventsOf(storage, "ada@example.com"))?.length, 3);
  });

  test("the event types of one workspace are not those of another", async ({ storage }) => {
    await createContact(storage);
    await define(storage, { workspace: "other", properties });
    await recordEvent(storage);
    issuesOf(await send(storage, { mustBeDefined: true }));
  });

  test("what was recorded is answered again, though the event type refuses it now", async ({ storage }) => {
    await createContact(storage);
    const [hashed, plain] = [eventDraft(keyed("k")), eventDraft()];
    const recorded = await storage.recordEvents([hashed, plain]);
    await define(storage);
    assert.deepEqual(await storage.recordEvents([hashed, plain]), recorded);
    assert.deepEqual(await send(storage, keyed("k")), recorded[0]);
    // A new event in the same call does not change this.
    const others = [eventDraft(keyed("k")), eventDraft({ properties: '{"total":1}' }), eventDraft()];
    const [again, added, refusal] = (await storage.recordEvents(others)).map((answer) => answer && faultless(answer));
    assert.deepEqual(again, recorded[0]);
    assert.ok(added && !("refused" in added));
    issuesOf(refusal);
  });

  test("what was recorded is answered again inside a transaction too", async ({ storage, begin }) => {
    await createContact(storage);
    const recorded = await recordEvent(storage, keyed("k"));
    await define(storage);
    const { inside, commit } = await begin();
    assert.deepEqual(await send(inside, keyed("k")), recorded);
    issuesOf(await send(inside, keyed("other")));
    await commit();
  });

  test("an idempotency hash with another fingerprint does not save an event from its refusal", async ({ storage }) => {
    await createContact(storage);
    await recordEvent(storage, keyed("k"));
    await define(storage);
    assert.deepEqual(issuesOf(await send(storage, keyed("k", "another input"))), ["properties.total required"]);
    assert.equal((await eventsOf(storage, "ada@example.com"))?.length, 1);
  });

  test("an event of an open transaction with the same hash is waited for, not refused", async ({ storage, begin }) => {
    await createContact(storage);
    const { inside, commit } = await begin();
    const event = await recordEvent(inside, keyed("k"));
    await define(storage);
    const again = send(storage, keyed("k"));
    await commit();
    assert.deepEqual(await again, event);
  });

  test("an event is refused inside as outside, and neither waits for its contact", async ({ storage, begin }) => {
    await createContact(storage);
    await define(storage);
    const [one, two] = [await begin(), await begin()];
    accepted(await update(one.inside, { fields: { name: "Ada" } }));
    assert.deepEqual(issuesOf(await send(two.inside)), ["properties.total required"]);
    assert.deepEqual(issuesOf(await send(storage)), ["properties.total required"]);
    await one.commit();
    accepted(await update(storage, { fields: { name: "Lovelace" } }));
    await recordEvent(two.inside, { properties: '{"total":1}' });
    await two.commit();
    assert.equal((await eventsOf(storage, "ada@example.com"))?.length, 1);
  });
}

export function eventUsage(test: StorageTest): void {
  test("the usage of a key tells how many contacts did it, how often, first and last", async ({ storage }) => {
    for (const name of ["ada", "bob"]) await createContact(storage, { email: `${name}@example.com`, id: newId(at) });
    const done = [
      ["ada", "step", at + 3],
      ["bob", "step", at + 1],
      ["ada", "step", at + 2],
      ["bob", "other", -1],
    ] as const;
    for (const [name, eventKey, createdAt] of done) {
      await recordEvent(storage, { contact: { email: `${name}@example.com` }, eventKey, createdAt });
    }
    assert.deepEqual((await storage.listEventUsage(workspace, null, rowsUpTo(10))).rows, [
      { eventKey: "other", contacts: 1, count: 1, firstAt: -1, lastAt: -1 },
      { eventKey: "step", contacts: 2, count: 3, firstAt: at + 1, lastAt: at + 3 },
    ]);
    assert.deepEqual((await storage.listEventUsage("other", null, rowsUpTo(10))).rows, []);
  });

  test("usage is in the order of the keys' bytes, and begins after any key", async ({ storage }) => {
    await createContact(storage);
    const keys = ["A", "Z", "a", "a ", "a b", "ab", "ß", "\uff5e", "\u{1F600}"];
    for (const eventKey of keys.toReversed()) await recordEvent(storage, { eventKey });
    const list = async (after: string | null, limit: number): Promise<string[]> =>
      (await storage.listEventUsage(workspace, after, rowsUpTo(limit))).rows.map(({ eventKey }) => eventKey);
    assert.deepEqual(await list(null, 20), keys);
    assert.deepEqual(await list(null, 2), ["A", "Z"]);
    assert.deepEqual(await list("a", 2), ["a ", "a b"]);
    assert.deepEqual(await list("aa", 2), ["ab", "ß"]);
    assert.deepEqual(await list("\uff5e", 5), ["\u{1F600}"]);
    assert.deepEqual(await list("\u{1F600}", 5), []);
  });
}
