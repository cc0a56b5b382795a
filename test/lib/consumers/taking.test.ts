import assert from "node:assert/strict";
import { memoryStorage, type MemoryStorage } from "../../../adapters/memory/index.ts";
import { createLeasedSlots } from "../../../lib/consumers/leased-slots.ts";
import { createTaker } from "../../../lib/consumers/taking.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";
import { trackerOn } from "../../support/consuming.ts";
import { suite } from "../../support/suite.ts";

const leaseMs = 60_000;

/** A storage with the contacts, and functions that take their changes as two consumers would. */
async function takers(contacts: number, parts: Partial<MemoryStorage> = {}) {
  const memory = memoryStorage();
  const tracker = trackerOn(memory);
  await tracker.attributes.define({ key: "seats", type: "number" });
  await tracker.subscriptions.define({ key: "all", on: { contacts: true } });
  for (let n = 0; n < contacts; n++) {
    await tracker.contacts.upsert({ email: `c${n}@example.com`, customAttributes: { seats: n } });
  }
  const takerOn = (storage: MemoryStorage, key = "all") => {
    const scope = { storage, workspace: "default", now: Date.now };
    return createTaker(scope, key, createLeasedSlots(scope, leaseMs), leaseMs);
  };
  return { take: takerOn({ ...memory, ...parts }), takeOther: takerOn(memory), takeUnknown: takerOn(memory, "other") };
}

suite("taking changes", (test) => {
  test("the changes come as handlers get them, slot by slot, and others do not get them", async () => {
    const { take, takeOther } = await takers(3);
    const { slots, busy } = await take(100);
    assert.equal(busy, false);
    const seats = slots.flatMap(({ items }) =>
      items.map(({ change }) => change.kind === "contact_created" && change.changed["customAttributes.seats"]?.after),
    );
    assert.deepEqual(new Set(seats), new Set([0, 1, 2]));
    assert.ok(
      slots.every((slot) => slot.position < slot.items[0]!.position && slot.end >= slot.items.at(-1)!.position),
    );
    const { slots: others, busy: isBusy, more } = await takeOther(100);
    assert.deepEqual([others, isBusy, more], [[], true, false]);
  });

  test("slots whose changes cannot be shown are released", async () => {
    const fault = new Error("broken");
    const { take, takeOther } = await takers(1, { listDefinitions: () => Promise.reject(fault) });
    await assert.rejects(take(100), fault);
    assert.equal((await takeOther(100)).slots.length, 1);
  });

  test("an unknown subscription is refused by its key", async () => {
    const { takeUnknown } = await takers(0);
    const refusal = await refusalOf(takeUnknown(1));
    assert.equal(refusal.message, 'There is no subscription "other".');
  });
});
