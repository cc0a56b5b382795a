/** Loops over lists while others write: on each storage, and through the client. */
import assert from "node:assert/strict";
import type { Contact, NewContact, StoredEvent, Tracker } from "../../lib/index.ts";
import type { Test } from "./suite.ts";
import { refusalOf } from "./stopped-tracker.ts";

const rule = { kind: "field", field: "plan", operator: "equals", value: "pro" } as const;
const audience = { key: "pro", name: "Pro", rule };

const externalIds = Array.from({ length: 9 }, (_, n) => `u_${n}`);
const emailOf = (externalId: string): string => `${externalId}@example.com`;
const newContact = (externalId: string): NewContact => ({ email: emailOf(externalId), externalId, plan: "pro" });

// A loop may yield them or not.
const deleted = ["u_1", "u_4", "u_7"];
const kept = externalIds.filter((externalId) => !deleted.includes(externalId));

/** Writes after the item `n`: to contacts that were yielded and that were not, and to those that need not be yielded. */
async function writeAround({ contacts }: Tracker, n: number): Promise<void> {
  if (n < deleted.length) await contacts.delete(deleted[n]!);
  for (const externalId of kept.filter((_, index) => index === n || index === kept.length - 1 - n))
    await contacts.update(externalId, { email: `a${n}.${emailOf(externalId)}`, name: `${n}` });
  // A loop in order of creation yields new contacts too, so it ends only if there is a last one.
  if (n < 9) await contacts.upsert(newContact(`new_${n}`));
}

/** The keys of the items that exist all the time, in the order in which the loop yields them. `write` runs after each item. */
async function keptIn<Item>(
  loop: AsyncGenerator<Item>,
  keyOf: (item: Item) => string,
  write: (n: number) => Promise<unknown>,
): Promise<string[]> {
  const keys: string[] = [];
  let n = 0;
  for await (const item of loop) {
    keys.push(keyOf(item));
    assert.ok(n < 100, "the loop does not end");
    await write(n++);
  }
  return keys.filter((key) => kept.includes(key));
}

const past = "2026-01-01T00:00:00.000Z";

const valueOf = ({ properties }: Pick<StoredEvent, "properties">): string => String(properties["of"]);
const idOf = ({ externalId }: Pick<Contact, "externalId">): string => externalId;

// A page ends after every second item, and writes follow every item.
const limit = 2;

/** `open` makes a tracker without data. */
export function loopCases(test: Test, open: () => Promise<{ tracker: Tracker; dispose(): Promise<void> }>): void {
  const onTracker = (title: string, run: (tracker: Tracker) => Promise<void>): void =>
    test(title, async () => {
      const { tracker, dispose } = await open();
      try {
        await tracker.contacts.upsertMany(externalIds.map(newContact));
        await run(tracker);
      } finally {
        await dispose();
      }
    });

  for (const order of ["oldest", "newest"] as const) {
    onTracker(`contacts, ${order} first, are each yielded once`, async (tracker) => {
      const loop = tracker.contacts.each({ limit, order });
      const found = await keptIn(loop, idOf, (n) => writeAround(tracker, n));
      assert.deepEqual(found, order === "oldest" ? kept : kept.toReversed());
    });
  }

  for (const query of ["U_", "Example"])
    onTracker(`contacts that the query ${query} finds are each yielded once`, async (tracker) => {
      const loop = tracker.contacts.each({ limit, query });
      assert.deepEqual(await keptIn(loop, idOf, (n) => writeAround(tracker, n)), kept);
    });

  onTracker("members of an audience are each yielded once", async (tracker) => {
    await tracker.audiences.define(audience);
    await tracker.contacts.update("u_8", { plan: "free" });
    const loop = tracker.audiences.each("pro", { limit });
    const found = await keptIn(loop, idOf, async (n) => {
      await writeAround(tracker, n);
      if (n === 0) await tracker.audiences.define({ ...audience, rule: { not: { not: rule } } });
    });
    assert.deepEqual(found, kept.slice(0, -1));
  });

  onTracker("events of all contacts are each yielded once", async (tracker) => {
    await track(tracker, externalIds);
    const loop = tracker.events.each({ limit });
    const found = await keptIn(loop, valueOf, async (n) => {
      await writeAround(tracker, n);
      await track(tracker, [`new_${n}`], ["u_0", "u_8"]);
      // The loop yields these too, so they must end.
      if (n < 9) await track(tracker, [`earlier_${n}`], ["u_3"], past);
    });
    assert.deepEqual(found, kept.toReversed());
  });

  onTracker("events of one contact are each yielded once", async (tracker) => {
    await track(tracker, externalIds, ["u_0"]);
    await track(tracker, kept, ["u_2"]);
    const loop = tracker.events.each("u_0", { limit, eventKey: "step" });
    const found = await keptIn(loop, valueOf, async (n) => {
      await writeAround(tracker, n);
      await track(tracker, [`new_${n}`], ["u_0"]);
      if (n < 9) await track(tracker, [`earlier_${n}`], ["u_0"], past);
    });
    assert.deepEqual(found, kept.toReversed());
  });

  for (const events of [0, 3]) {
    onTracker(
      `a loop over a contact's events ends if a contact with ${events} events gets its identifier`,
      async (tracker) => {
        await track(tracker, kept, ["u_0"]);
        const loop = tracker.events.each("u_0", { limit: 2 });
        assert.equal((await loop.next()).value?.properties["of"], "u_8");
        await tracker.contacts.update("u_0", { externalId: "moved" });
        await tracker.contacts.update("u_1", { externalId: "u_0" });
        await track(tracker, kept.slice(0, events), ["u_0"], past);
        assert.equal((await loop.next()).value?.properties["of"], "u_6");
        assert.equal((await refusalOf(loop.next())).code, "contact_not_found");
      },
    );
  }

  onTracker("a loop over a contact's events ends with contact_not_found if the contact is deleted", async (tracker) => {
    await track(tracker, kept, ["u_0"]);
    const loop = tracker.events.each("u_0", { limit: 1 });
    await loop.next();
    await tracker.contacts.delete("u_0");
    assert.equal((await refusalOf(loop.next())).code, "contact_not_found");
  });
}

/** Records an event of each contact for each value, whose property is the value. */
async function track(
  { events }: Tracker,
  values: readonly string[],
  contacts: readonly string[] | null = null,
  createdAt?: string,
): Promise<void> {
  for (const of of values)
    for (const externalId of contacts ?? [of])
      await events.track({ externalId, eventKey: "step", properties: { of }, createdAt });
}
