import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import {
  accepted,
  allContacts,
  callsOnContactsAndEvents,
  countOf,
  createContact,
  recordEvent,
  rejected,
  update,
} from "../calls.ts";
import type { StorageTest } from "../fresh-storage.ts";

// Resolves once `count` callers have called it.
function meeting(count: number): () => Promise<void> {
  let arrive = (): void => {};
  const all = new Promise<void>((resolve) => (arrive = resolve));
  let arrived = 0;
  return () => {
    if (++arrived === count) arrive();
    return all;
  };
}

export function managedTransactions(test: StorageTest): void {
  test("transaction commits what its function wrote, and resolves with the function's result", async ({ storage }) => {
    const id = await storage.transaction(async (inside) => {
      const ada = await createContact(inside);
      await recordEvent(inside);
      assert.equal(await countOf(inside, ada.id), 1);
      assert.deepEqual(await allContacts(storage), []);
      return ada.id;
    });
    const ids = (await allContacts(storage)).map((contact) => contact.id);
    assert.deepEqual(ids, [id]);
    assert.equal(await countOf(storage, id), 1);
  });

  for (const reason of [new Error("no stock"), "no stock", undefined]) {
    test(`transaction writes nothing if its function rejects, and rejects: ${String(reason)}`, async ({ storage }) => {
      const outcome = storage.transaction(async (inside) => {
        await createContact(inside);
        throw reason;
      });
      const [settled] = await Promise.allSettled([outcome]);
      assert.deepEqual(settled, { status: "rejected", reason });
      assert.equal(settled.reason, reason);
      assert.deepEqual(await allContacts(storage), []);
      await createContact(storage);
    });
  }

  test("transaction keeps the calls that its function did not await", async ({ storage }) => {
    const { id } = await createContact(storage);
    await storage.transaction(async (inside) => {
      for (let count = 0; count < 5; count++) void recordEvent(inside);
    });
    assert.equal(await countOf(storage, id), 5);
  });

  for (const end of ["resolved", "rejected"]) {
    test(`after its function has ${end} every call inside rejects with transaction_required`, async ({ storage }) => {
      await createContact(storage);
      let kept: Storage | undefined;
      const outcome = storage.transaction(async (inside) => {
        kept = inside;
        await recordEvent(inside);
        if (end === "rejected") throw new Error(end);
      });
      await outcome.catch(() => {});
      const before = await allContacts(storage);
      for (const call of callsOnContactsAndEvents(kept!)) await rejected(call(), "transaction_required");
      assert.deepEqual(await allContacts(storage), before);
    });
  }

  test("of two in a deadlock one is lost, even if its function catches it, none runs twice", async ({ storage }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    const bothHoldOne = meeting(2);
    let runs = 0;
    const rename = (name: string, first: string, second: string): Promise<void> =>
      storage.transaction(async (inside) => {
        runs++;
        accepted(await update(inside, { externalId: first, fields: { name } }));
        await bothHoldOne();
        await update(inside, { externalId: second, fields: { name } }).catch(() => {});
      });
    const outcomes = await Promise.allSettled([
      rename("one", "ada@example.com", "bob@example.com"),
      rename("two", "bob@example.com", "ada@example.com"),
    ]);
    const [lost, ...others] = outcomes.filter((outcome) => outcome.status === "rejected");
    assert.equal(others.length, 0);
    await rejected(Promise.reject(lost!.reason as Error), "transaction_lost");
    assert.equal(runs, 2);
    const names = new Set((await allContacts(storage)).map(({ name }) => name));
    assert.deepEqual([...names], [outcomes[0].status === "fulfilled" ? "one" : "two"]);
  });

  test("a transaction inside another is a transaction of its own", async ({ storage }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    const outer = storage.transaction(async (inside) => {
      await recordEvent(inside, { contact: { email: "ada@example.com" } });
      await inside.transaction(async (other) => {
        await recordEvent(other, { contact: { email: "bob@example.com" } });
      });
      throw new Error("no stock");
    });
    await assert.rejects(outer, { message: "no stock" });
    const counts = (await allContacts(storage)).map(({ id }) => countOf(storage, id));
    assert.deepEqual(await Promise.all(counts), [0, 1]);
  });
}
