import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import type { Position } from "../../../lib/storage/rows.ts";
import { accepted, allContacts, createContact, update } from "../calls.ts";
import { at, contactDraft, newIds, wholeList, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

// The names of the contacts listed.
async function contactNamesIn(storage: Storage, limit: number, after: Position | null): Promise<(string | null)[]> {
  const rows = (await storage.listContacts(workspace, { ...wholeList, limit, after })).rows;
  return rows.map(({ name }) => name);
}

export async function createNamed(
  storage: Storage,
  ...contacts: { id: string; name: string; at: number }[]
): Promise<void> {
  const drafts = contacts.map(({ id, name, at: createdAt }) =>
    contactDraft({ id, email: `${name}@example.com`, fields: { name }, at: createdAt }),
  );
  for (const result of await storage.upsertContacts(drafts)) accepted(result);
}

export function contactLists(test: StorageTest): void {
  test("the list of contacts may be empty", async ({ storage }) => {
    assert.deepEqual(await allContacts(storage), []);
  });

  test("a list shows each contact as findContact does", async ({ storage }) => {
    const ada = await createContact(storage, { fields: { externalId: "u_1", name: "Ada" } });
    assert.deepEqual(await allContacts(storage), [ada]);
  });

  test("contacts are listed by the time of their creation, whenever they came", async ({ storage }) => {
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    await createNamed(storage, { id: one, name: "late", at: at + 1 });
    await createNamed(storage, { id: two, name: "early", at: at - 1 }, { id: three, name: "earliest", at: -1 });
    await createNamed(storage, { id: four, name: "between", at });
    assert.deepEqual(await contactNamesIn(storage, 10, null), ["earliest", "early", "between", "late"]);
  });

  test("contacts of one time are listed by id", async ({ storage }) => {
    const [one, two, three] = newIds(3) as [string, string, string];
    await createNamed(storage, { id: three, name: "three", at }, { id: one, name: "one", at });
    await createNamed(storage, { id: two, name: "two", at });
    assert.deepEqual(await contactNamesIn(storage, 10, null), ["one", "two", "three"]);
  });

  test("a list holds at most as many contacts as the limit, and goes on after a position", async ({ storage }) => {
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    await createNamed(storage, { id: four, name: "four", at: at + 1 }, { id: three, name: "three", at });
    await createNamed(storage, { id: two, name: "two", at }, { id: one, name: "one", at });
    assert.deepEqual(await contactNamesIn(storage, 2, null), ["one", "two"]);
    assert.deepEqual(await contactNamesIn(storage, 1, { createdAt: at, id: one }), ["two"]);
    assert.deepEqual(await contactNamesIn(storage, 2, { createdAt: at, id: two }), ["three", "four"]);
    assert.deepEqual(await contactNamesIn(storage, 2, { createdAt: at, id: three }), ["four"]);
    assert.deepEqual(await contactNamesIn(storage, 2, { createdAt: at + 1, id: four }), []);
  });

  test("a list goes on after the position of a contact that is gone", async ({ storage }) => {
    const [one, two, three] = newIds(3) as [string, string, string];
    await createNamed(
      storage,
      { id: one, name: "one", at },
      { id: two, name: "two", at },
      { id: three, name: "three", at },
    );
    accepted(await storage.deleteContact(workspace, "two@example.com", at));
    assert.deepEqual(await contactNamesIn(storage, 10, { createdAt: at, id: two }), ["three"]);
  });

  test("a list goes on after a position where no contact ever was", async ({ storage }) => {
    const [one, two, three] = newIds(3) as [string, string, string];
    await createNamed(storage, { id: one, name: "one", at }, { id: three, name: "three", at: at + 2 });
    assert.deepEqual(await contactNamesIn(storage, 10, { createdAt: at, id: two }), ["three"]);
    assert.deepEqual(await contactNamesIn(storage, 10, { createdAt: at + 1, id: one }), ["three"]);
    assert.deepEqual(await contactNamesIn(storage, 10, { createdAt: at - 1, id: three }), ["one", "three"]);
  });

  test("a contact keeps its position when it is changed", async ({ storage }) => {
    const [one, two] = newIds(2) as [string, string];
    await createNamed(storage, { id: one, name: "one", at }, { id: two, name: "two", at });
    accepted(await update(storage, { externalId: "one@example.com", fields: { name: "changed" }, at: at + 1 }));
    assert.deepEqual(await contactNamesIn(storage, 10, null), ["changed", "two"]);
  });
}

// Records events of one contact, each with its `name` as a property.
