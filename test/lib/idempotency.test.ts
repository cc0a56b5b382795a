/** The same key with the same input gives the same answer again; with another input it is refused. */
import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const step: NewEvent = { externalId: "ada@example.com", eventKey: "step", properties: { plan: "pro", seats: 12 } };
const k = { idempotencyKey: "k" };

async function trackerOfAda() {
  const opened = stoppedTracker();
  await opened.tracker.contacts.upsert({ email: "ada@example.com" });
  return opened;
}

suite("idempotency", (test) => {
  test("the same key again is answered as the first time, and recorded once", async () => {
    const { tracker, clock } = await trackerOfAda();
    const first = await tracker.events.track(step, k);
    clock.set("2026-02-01T00:00:00Z");
    assert.deepEqual(await tracker.events.track(step, k), { ...first, replayed: true });
    assert.equal((await tracker.events.list("ada@example.com")).items.length, 1);
  });

  test("of 100 events of one key at once one is recorded", async () => {
    const { tracker } = await trackerOfAda();
    const results = await Promise.all(Array.from({ length: 100 }, () => tracker.events.track(step, k)));
    assert.equal(results.filter(({ replayed }) => !replayed).length, 1);
    assert.equal(new Set(results.map(({ event }) => event.id)).size, 1);
    assert.equal((await tracker.events.list("ada@example.com")).items.length, 1);
  });

  test("without a key each event is recorded", async () => {
    const { tracker } = await trackerOfAda();
    await Promise.all([tracker.events.track(step), tracker.events.track(step, {})]);
    assert.equal((await tracker.events.list("ada@example.com")).items.length, 2);
  });

  test("keys differ in case", async () => {
    const { tracker } = await trackerOfAda();
    await tracker.events.track(step, k);
    assert.equal((await tracker.events.track(step, { idempotencyKey: "K" })).replayed, false);
  });

  const others = {
    eventKey: { ...step, eventKey: "other" },
    "property's value": { ...step, properties: { plan: "pro", seats: 13 } },
    "property's type": { ...step, properties: { plan: "pro", seats: "12" } },
    "property more": { ...step, properties: { plan: "pro", seats: 12, extra: 1 } },
    "property less": { ...step, properties: { plan: "pro" } },
    externalId: { ...step, externalId: "ADA@example.com" },
    "contact, though there is none": { ...step, externalId: "u_1" },
  };
  for (const [what, other] of Object.entries(others)) {
    test(`the same key with another ${what} is refused`, async () => {
      const { tracker } = await trackerOfAda();
      await tracker.events.track(step, k);
      assert.equal((await refusalOf(tracker.events.track(other, k))).code, "idempotency_key_reused");
      assert.equal((await tracker.events.list("ada@example.com")).items.length, 1);
    });
  }

  test("properties in another order are the same input", async () => {
    const { tracker } = await trackerOfAda();
    await tracker.events.track(step, k);
    const turned = { properties: { seats: 12, plan: "pro" }, eventKey: "step", externalId: "ada@example.com" };
    assert.equal((await tracker.events.track(turned, k)).replayed, true);
  });

  test("-0 and 0 are the same input", async () => {
    const { tracker } = await trackerOfAda();
    await tracker.events.track({ ...step, properties: { n: -0 } }, k);
    assert.equal((await tracker.events.track({ ...step, properties: { n: 0 } }, k)).replayed, true);
  });

  test("no properties and empty properties are the same input", async () => {
    const { tracker } = await trackerOfAda();
    await tracker.events.track({ externalId: "ada@example.com", eventKey: "step" }, k);
    const empty = { externalId: "ada@example.com", eventKey: "step", properties: {} };
    assert.equal((await tracker.events.track(empty, k)).replayed, true);
  });

  test("an event is answered again also when its contact is called otherwise since", async () => {
    const { tracker } = await trackerOfAda();
    const first = await tracker.events.track(step, k);
    await tracker.contacts.update("ada@example.com", { externalId: "u_1" });
    assert.deepEqual(await tracker.events.track(step, k), { ...first, replayed: true });
  });

  test("after a refusal the key is free", async () => {
    const { tracker } = await trackerOfAda();
    const wrong = untyped({ ...step, properties: { plan: null } });
    assert.equal((await refusalOf(tracker.events.track(wrong, k))).code, "invalid_input");
    const nobody = { ...step, externalId: "u_1" };
    assert.equal((await refusalOf(tracker.events.track(nobody, k))).code, "contact_not_found");
    assert.equal((await tracker.events.track(step, k)).replayed, false);
  });

  test("a key may be any visible ASCII", async () => {
    const { tracker } = await trackerOfAda();
    const idempotencyKey = `!"#$%&'()*+,-./09:;<=>?@AZ[\\]^_\`az{|}~`;
    assert.equal((await tracker.events.track(step, { idempotencyKey })).replayed, false);
    assert.equal((await tracker.events.track(step, { idempotencyKey })).replayed, true);
  });

  for (const [idempotencyKey, code] of [
    ["", "too_short"],
    ["a b", "invalid_format"],
    ["a\t", "invalid_format"],
    ["a\n", "invalid_format"],
    ["\x7f", "invalid_format"],
    ["é", "invalid_format"],
    [5, "wrong_type"],
    [null, "not_allowed_null"],
  ] as const) {
    test(`no idempotency key: ${JSON.stringify(idempotencyKey)}`, async () => {
      const { tracker } = await trackerOfAda();
      const tracking = tracker.events.track(step, untyped({ idempotencyKey }));
      assert.deepEqual(await issuesOf(tracking), [`idempotencyKey ${code}`]);
      assert.deepEqual((await tracker.events.list("ada@example.com")).items, []);
    });
  }

  test("options are an object of known fields", async () => {
    const { tracker } = await trackerOfAda();
    assert.deepEqual(await issuesOf(tracker.events.track(step, untyped("k"))), [" wrong_type"]);
    assert.deepEqual(await issuesOf(tracker.events.track(step, untyped({ idempotencykey: "k" }))), [
      "idempotencykey unknown_field",
    ]);
    assert.deepEqual((await tracker.events.list("ada@example.com")).items, []);
  });
});
