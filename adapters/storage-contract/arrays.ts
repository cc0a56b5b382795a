import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { newId } from "../../lib/model/ids.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { ChecklistItem } from "../../lib/model/types.ts";
import {
  accepted,
  allContacts,
  countOf,
  createContact,
  eventsOf,
  faultless,
  recordAll,
  recordEvent,
  rejected,
} from "./calls.ts";
import { at, checklistDraft, contactDraft, eventDraft, keyed } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";
import { assertPending, start } from "./pending.ts";

const ofBob = { contact: { email: "bob@example.com" } };

async function createBoth(storage: Storage): Promise<[string, string]> {
  const ada = await createContact(storage);
  const bob = await createContact(storage, { email: "bob@example.com" });
  return [ada.id, bob.id];
}

/** Each item of an array has a result of its own. */
export function arrays(test: StorageTest): void {
  test("items of free contacts are written while one of the same array waits", async ({ storage, begin }) => {
    const [ada, bob] = await createBoth(storage);
    const { inside, commit } = await begin();
    await recordEvent(inside);
    const recorded = start(recordAll(storage, [eventDraft(), eventDraft(ofBob)]));
    const drafts = [contactDraft({ fields: { plan: "pro" } }), contactDraft({ email: "carol@example.com" })];
    const upserted = start(storage.upsertContacts(drafts));
    const written = async (): Promise<boolean> =>
      (await countOf(storage, bob)) === 1 && (await allContacts(storage)).length === 3;
    while (!recorded.isSettled() && !(await written())) await pause(20);
    await assertPending(recorded, upserted);
    assert.deepEqual([await countOf(storage, ada), await countOf(storage, bob)], [0, 1]);
    assert.deepEqual(
      (await allContacts(storage)).map(({ email, plan }) => [email, plan]),
      [
        ["ada@example.com", null],
        ["bob@example.com", null],
        ["carol@example.com", null],
      ],
    );
    await commit();
    const contactIds = (await recorded.result).map((row) => row?.contactId);
    assert.deepEqual(contactIds, [ada, bob]);
    assert.deepEqual(
      (await upserted.result).map((result) => accepted(result).created),
      [false, true],
    );
    assert.deepEqual([await countOf(storage, ada), await countOf(storage, bob)], [2, 1]);
  });

  test("what waits for 5 s is storage_unavailable, and others of its array are written", async ({ storage, begin }) => {
    const [ada, bob] = await createBoth(storage);
    const { inside, commit } = await begin();
    await recordEvent(inside);
    const [recorded, upserted] = await Promise.all([
      storage.recordEvents([eventDraft(), eventDraft(ofBob), eventDraft()]),
      storage.upsertContacts([
        contactDraft({ email: "bob@example.com", fields: { plan: "pro" } }),
        contactDraft({ fields: { plan: "pro" } }),
      ]),
    ]);
    for (const held of [recorded[0], recorded[2], upserted[1]]) {
      await rejected((async () => faultless(held!))(), "storage_unavailable");
    }
    assert.equal(accepted(recorded[1]!).contactId, bob);
    assert.equal(accepted(upserted[0]).contact.plan, "pro");
    await commit();
    assert.deepEqual([await countOf(storage, ada), await countOf(storage, bob)], [1, 1]);
  });

  test("later events of a contact wait behind one that waits for its idempotency key", async ({ storage, begin }) => {
    const [ada] = await createBoth(storage);
    const items: ChecklistItem[] = ["one", "two", "three"].map((key, count) => ({
      key,
      name: key,
      when: { kind: "count_greater_than", eventKey: "step", count },
    }));
    accepted(await storage.putDefinition(checklistDraft({ items })));
    const { inside, rollback } = await begin();
    await recordEvent(inside, { ...ofBob, ...keyed("k") });
    const calls = [
      start(recordAll(storage, [eventDraft(keyed("k")), eventDraft()])),
      start(recordAll(storage, [eventDraft()])),
    ];
    await assertPending(...calls);
    assert.equal(await countOf(storage, ada), 0);
    await rollback();
    const rows = (await Promise.all(calls.map(({ result }) => result))).flat();
    assert.deepEqual(
      rows.map((row) =>
        (JSON.parse(row?.completedItems ?? "[]") as { itemKey: string }[]).map(({ itemKey }) => itemKey),
      ),
      [["one"], ["two"], ["three"]],
    );
  });

  test("later upserts of an email wait behind one that waits for its externalId", async ({ storage, begin }) => {
    await createBoth(storage);
    const { inside, rollback } = await begin();
    accepted(
      (await inside.upsertContacts([contactDraft({ email: "bob@example.com", fields: { externalId: "u_1" } })]))[0],
    );
    const calls = [
      start(
        storage.upsertContacts([
          contactDraft({ fields: { externalId: "u_1", name: "1" } }),
          contactDraft({ fields: { name: "2", plan: "2" } }),
        ]),
      ),
      start(storage.upsertContacts([contactDraft({ fields: { plan: "3" } })])),
    ];
    await assertPending(...calls);
    await rollback();
    const answers = (await Promise.all(calls.map(({ result }) => result))).flat();
    assert.deepEqual(
      answers.map((answer) => accepted(answer).contact).map(({ externalId, name, plan }) => [externalId, name, plan]),
      [
        ["u_1", "1", null],
        ["u_1", "2", "2"],
        ["u_1", "2", "3"],
      ],
    );
  });

  test("what waits for room is written, however much is asked for at once", async ({ storage }) => {
    await createBoth(storage);
    const drafts = Array.from({ length: 12_000 }, () => eventDraft({ id: newId(at) }));
    const calls = drafts.map((draft) => storage.recordEvents([draft], { whenFull: "wait" }));
    const rows = (await Promise.all(calls)).flat();
    assert.deepEqual(new Set(rows.map((row) => row && accepted(row).id)), new Set(drafts.map(({ id }) => id)));
    assert.equal((await eventsOf(storage, "ada@example.com"))?.length, 1_001);
  });

  test("the close refuses what waits for a contact, and writes the others of its array", async ({ storage, begin }) => {
    await createBoth(storage);
    const { inside } = await begin();
    await recordEvent(inside);
    const recorded = start(storage.recordEvents([eventDraft(), eventDraft(ofBob), eventDraft()]));
    await assertPending(recorded);
    await storage.close();
    const [first, second, third] = await recorded.result;
    for (const held of [first, third]) await rejected((async () => faultless(held!))(), "storage_unavailable");
    assert.ok(second && accepted(second));
  });
}
