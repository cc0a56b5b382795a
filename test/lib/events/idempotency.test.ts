/** The same key with the same input gives the same answer again; with another input it is refused. */
import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/index.ts";
import { refusalOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";
import { rowsUpTo } from "../../../adapters/storage-contract/drafts.ts";

const step: NewEvent = { externalId: "ada@example.com", eventKey: "step", properties: { plan: "pro", seats: 12 } };
const k = { idempotencyKey: "k" };

async function trackerOfAda() {
  const opened = stoppedTracker();
  await opened.tracker.contacts.upsert({ email: "ada@example.com" });
  return opened;
}

interfaceSuite("idempotency", (test) => {
  test("the fingerprint of an event without a time is the one that earlier versions stored", async () => {
    const { tracker, storage } = await trackerOfAda();
    await tracker.events.track(step, k);
    const stored = (await storage.listEvents("default", "ada@example.com", null, { ...rowsUpTo(1), after: null }))
      ?.rows;
    assert.equal(stored?.[0]?.fingerprint, "a38d72a6ae32523d448f49da2f1e42048fc820775b192598cb3d006240dee306");
  });

  test("a time that is given is part of the input, however it is written", async () => {
    const { tracker, clock } = await trackerOfAda();
    const given = await tracker.events.track({ ...step, createdAt: "2026-01-31T09:00:00Z" }, k);
    clock.set("2026-02-01T00:00:00Z");
    for (const createdAt of ["2026-01-31T10:00:00.0009+01:00", new Date("2026-01-31T09:00:00.000Z")]) {
      assert.deepEqual(await tracker.events.track({ ...step, createdAt }, k), { ...given, replayed: true });
    }
    for (const createdAt of ["2026-01-31T09:00:00.001Z", undefined]) {
      const { code } = await refusalOf(tracker.events.track({ ...step, createdAt }, k));
      assert.equal(code, "idempotency_key_reused");
    }
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
});
