import assert from "node:assert/strict";
import { memoryStorage, type MemoryStorage } from "../../../adapters/memory/index.ts";
import { createLeasedSlots, isUnavailable, positionAfter } from "../../../lib/consumers/leased-slots.ts";
import { TrackerError } from "../../../lib/index.ts";
import { deferred } from "../../support/consuming.ts";
import { suite } from "../../support/suite.ts";

const taken = [1, 2].map((slot) => ({ slot, position: 10, end: 20, changes: [] }));

/** Held slots, of which the storage answers `isLeased` for each slot, and what it was asked to store. */
function leasedSlots(isLeased: (slot: number) => boolean) {
  const stored: unknown[] = [];
  const acknowledge: MemoryStorage["acknowledge"] = async (_, items) => {
    stored.push(...items.map(({ slot, position, leaseMs }) => [slot, position, leaseMs]));
    return items.map(({ slot }) => isLeased(slot));
  };
  const storage = { ...memoryStorage(), acknowledge };
  const leased = createLeasedSlots({ storage, workspace: "acme", now: Date.now }, 30);
  return { leased, slots: leased.add("id", "token", taken, performance.now()), stored };
}

suite("leased slots", (test) => {
  test("leases are renewed, and the handler of a slot that is lost is aborted", async () => {
    const { leased, slots, stored } = leasedSlots((slot) => slot === 1);
    const [first, second] = slots;
    const aborted = deferred<string>();
    second!.running = { abort: () => aborted.resolve("aborted") };
    const { leasedUntil } = first!;
    const end = leased.renew();
    assert.equal(await aborted.promise, "aborted");
    end();
    assert.deepEqual(
      slots.map(({ isGivenUp }) => isGivenUp),
      [false, true],
    );
    assert.ok(first!.leasedUntil > leasedUntil);
    assert.deepEqual(stored.slice(0, 2), [
      [1, 10, 30],
      [2, 10, 30],
    ]);
  });

  test("slots are released at their positions, without those that are lost", async () => {
    const { leased, slots, stored } = leasedSlots(() => true);
    slots[0]!.position = 15;
    leased.lose(slots[1]!);
    await leased.release(slots);
    await leased.release(slots);
    assert.deepEqual(stored, [[1, 15, null]]);
  });

  test("the handlers that run are aborted with the reason, and other slots are not given up", () => {
    const { leased, slots } = leasedSlots(() => true);
    const running = new AbortController();
    slots[0]!.running = running;
    const reason = new Error("stop");
    leased.abort(reason);
    assert.equal(running.signal.reason, reason);
    assert.deepEqual(
      slots.map(({ isGivenUp }) => isGivenUp),
      [true, false],
    );
  });

  test("a change that waited leaves the position of its slot", () => {
    const { slots } = leasedSlots(() => true);
    const item = { change: untold, changeId: "a", contactId: "b", position: 5, waited: true, failures: 0 };
    assert.equal(positionAfter(slots[0]!, item), 10);
    assert.equal(positionAfter(slots[0]!, { ...item, position: 15, waited: false }), 15);
  });

  test("only a storage_unavailable means that the storage cannot be reached", () => {
    assert.equal(isUnavailable(new TrackerError("storage_unavailable")), true);
    assert.equal(isUnavailable(new TrackerError("transaction_lost")), false);
    assert.equal(isUnavailable(new Error("storage_unavailable")), false);
  });
});

const untold = {
  id: "1",
  cursor: "1",
  kind: "contact_deleted",
  at: "2026-01-31T09:00:00.000Z",
  contact: { id: "1", externalId: null },
} as const;
