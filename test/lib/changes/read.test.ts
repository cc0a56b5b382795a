import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker, type Change, type Tracker } from "../../../lib/index.ts";
import { refusalOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const apart = {
  "a pruned event has no properties, and a completed checklist is a change": "a client does not prune events",
  "a signal and the close end a reader that waits": "a client goes on while its server is closed",
  "a reader survives that the storage is not available for a while": "the client's own test breaks its connection",
  "readers that wait share a read, but not its changes, and read only for changes of theirs":
    "the readers of clients are requests",
};

const step = { externalId: "ada@example.com", eventKey: "step" };

async function subscribed(): Promise<ReturnType<typeof stoppedTracker>> {
  const stopped = stoppedTracker();
  await stopped.tracker.subscriptions.define({
    key: "all",
    on: { events: true, contacts: true, checklists: true },
  });
  return stopped;
}

async function take(tracker: Tracker, count: number, after?: string): Promise<Change[]> {
  const taken: Change[] = [];
  for await (const change of tracker.subscriptions.changes("all", { after })) {
    if (taken.push(change) === count) break;
  }
  return taken;
}

interfaceSuite({ name: "the changes of a subscription", apart }, (test) => {
  test("a reader gets the changes as they were at the commit, and goes on after a cursor", async () => {
    const { tracker } = await subscribed();
    await tracker.attributes.define({ key: "seats", type: "number" });
    const { contact } = await tracker.contacts.upsert({
      email: "ada@example.com",
      signedUpAt: "2026-01-01T00:00:00Z",
      customAttributes: { seats: 12 },
    });
    const { event } = await tracker.events.track({ ...step, properties: { total: 1 } });
    await tracker.contacts.update("ada@example.com", { customAttributes: { seats: null } });
    const [created, recorded, updated] = await take(tracker, 3);
    const shown = { id: contact.id, email: "ada@example.com", externalId: "ada@example.com" };
    const at = "2026-01-31T09:00:00.000Z";
    assert.deepEqual(created, {
      id: created?.id,
      cursor: created?.cursor,
      kind: "contact_created",
      at,
      contact: shown,
      changed: {
        email: { before: null, after: "ada@example.com" },
        externalId: { before: null, after: "ada@example.com" },
        signedUpAt: { before: null, after: "2026-01-01T00:00:00.000Z" },
        "customAttributes.seats": { before: null, after: 12 },
      },
    });
    assert.deepEqual(recorded, {
      id: event.id,
      cursor: recorded?.cursor,
      kind: "event_recorded",
      at,
      contact: shown,
      event: { ...event, properties: { total: 1 } },
    });
    assert.ok(updated?.kind === "contact_updated");
    assert.deepEqual(updated.changed, { "customAttributes.seats": { before: 12, after: null } });
    assert.deepEqual(await take(tracker, 1, recorded?.cursor), [updated]);
    await tracker.attributes.delete("seats");
    const [afterwards] = await take(tracker, 1, recorded?.cursor);
    assert.deepEqual(afterwards?.kind === "contact_updated" && afterwards.changed, {});
  });

  test("a reader waits for the next change, and for one of a transaction that commits late", async () => {
    const { tracker } = await subscribed();
    const reading = take(tracker, 3);
    await tracker.transaction(async (tx) => {
      await tx.contacts.upsert({ email: "ada@example.com" });
      await tracker.contacts.upsert({ email: "bob@example.com" });
      await tx.events.track(step);
    });
    assert.deepEqual(
      (await reading).map((change) => `${change.kind} ${"email" in change.contact && change.contact.email}`),
      ["contact_created bob@example.com", "contact_created ada@example.com", "event_recorded ada@example.com"],
    );
  });

  test("a pruned event has no properties, and a completed checklist is a change", async () => {
    const { tracker, clock } = await subscribed();
    const when = { kind: "has_done", eventKey: "step" } as const;
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "a", name: "A", when }] });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const { event } = await tracker.events.track(step);
    // `newId` never goes back: another test may have set its clock to a later time.
    const recordedAt = parseInt(event.id.replace("-", "").slice(0, 12), 16);
    clock.set(new Date(recordedAt + 7_200_000).toISOString());
    await tracker.events.prune({ before: "2026-01-31T10:00:00Z" });
    const [, recorded, item, checklist] = await take(tracker, 4);
    assert.equal(recorded?.kind === "event_recorded" && recorded.event.properties, null);
    assert.equal(item?.kind === "item_completed" && item.item.itemKey, "a");
    assert.equal(checklist?.kind === "checklist_completed" && checklist.checklistKey, "start");
  });

  test("lists with notify false are kept out of the subscription", async () => {
    const { tracker } = await subscribed();
    await tracker.contacts.upsertMany([{ email: "ada@example.com" }], undefined, { notify: false });
    await tracker.events.trackMany([step], undefined, { notify: false });
    await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada" });
    assert.deepEqual(
      (await take(tracker, 1)).map(({ kind }) => kind),
      ["contact_updated"],
    );
  });

  test("a signal and the close end a reader that waits", async () => {
    const { tracker } = await subscribed();
    const stopping = new AbortController();
    const stopped = tracker.subscriptions.changes("all", { signal: stopping.signal }).next();
    const closed = tracker.subscriptions.changes("all").next();
    const reason = new Error("enough");
    stopping.abort(reason);
    await assert.rejects(stopped, reason);
    void closed.catch(() => {});
    await tracker.close();
    assert.equal((await refusalOf(closed)).code, "storage_unavailable");
  });

  test("a reader survives that the storage is not available for a while", async () => {
    const storage = memoryStorage();
    let failures = 1;
    const tracker = createTracker({
      storage: {
        ...storage,
        listChanges: (...args) => {
          if (failures-- > 0) return storage.listChanges(...args).then(() => Promise.reject(unavailable));
          return storage.listChanges(...args);
        },
      },
    });
    const other = createTracker({ storage: memoryStorage() });
    await other.close();
    const unavailable = await refusalOf(other.contacts.count());
    await tracker.subscriptions.define({ key: "all", on: { contacts: true } });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.equal((await take(tracker, 1)).length, 1);
  });

  test("readers that wait share a read, but not its changes, and read only for changes of theirs", async () => {
    const storage = memoryStorage();
    const reads: string[] = [];
    const listChanges: typeof storage.listChanges = (workspace, key, ...rest) => {
      reads.push(key);
      return storage.listChanges(workspace, key, ...rest);
    };
    const tracker = createTracker({ storage: { ...storage, listChanges } });
    await tracker.subscriptions.define({ key: "all", on: { contacts: true } });
    await tracker.subscriptions.define({ key: "few", on: { events: ["rare"] } });
    const others = Array.from({ length: 2 }, () => tracker.subscriptions.changes("few").next());
    const changed = Array.from({ length: 2 }, async () => {
      const { value } = await tracker.subscriptions.changes("all").next();
      return Object.assign(value.contact, { email: `not ${"email" in value.contact && value.contact.email}` }).email;
    });
    await nextTurn();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.deepEqual(await Promise.all(changed), Array(2).fill("not ada@example.com"));
    assert.deepEqual(reads, ["few", "few", "all", "all", "all"]);
    await tracker.close();
    for (const { status } of await Promise.allSettled(others)) assert.equal(status, "rejected");
  });

  test("the newest changes come newest first, and a reader goes on after the first of them", async () => {
    const { tracker } = await subscribed();
    assert.deepEqual(await tracker.subscriptions.recent("all"), []);
    for (const email of ["ada@example.com", "bob@example.com", "eve@example.com"])
      await tracker.contacts.upsert({ email });
    const whole = await take(tracker, 3);
    assert.deepEqual(await tracker.subscriptions.recent("all"), whole.toReversed());
    const newest = await tracker.subscriptions.recent("all", { limit: 2 });
    assert.deepEqual(newest, [whole[2], whole[1]]);
    await tracker.events.track(step);
    const [next] = await take(tracker, 1, newest[0]?.cursor);
    assert.equal(next?.kind, "event_recorded");
  });

  test("an unknown subscription, a wrong cursor and one that is too old are refused", async () => {
    const { tracker } = await subscribed();
    const next = (key: string, after?: string) => refusalOf(tracker.subscriptions.changes(key, { after }).next());
    assert.equal((await next("other")).code, "definition_not_found");
    assert.equal((await refusalOf(tracker.subscriptions.recent("other"))).code, "definition_not_found");
    assert.equal((await refusalOf(tracker.subscriptions.recent("all", { limit: 0 }))).code, "invalid_input");
    assert.equal((await next("all", "x")).code, "invalid_input");
    assert.equal((await next("all", Buffer.from("1").toString("base64url"))).code, "changes_expired");
  });
});
