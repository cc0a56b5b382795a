import assert from "node:assert/strict";
import type { Change } from "../../../lib/index.ts";
import { named, subscribed, type Subscribed } from "../../support/consuming.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const caughtUp = { until: "caught-up", tries: 1 } as const;

/** A tracker with parked contacts, each of which has a later change. */
async function parked(...emails: string[]): Promise<Subscribed> {
  const opened = await subscribed();
  const { tracker } = opened;
  for (const email of emails) {
    await tracker.contacts.upsert({ email });
    await tracker.subscriptions.consume("all", caughtUp, () => Promise.reject(new Error("no mail")));
    await tracker.events.track({ externalId: email, eventKey: "later" });
  }
  return opened;
}

async function handled({ tracker }: Subscribed): Promise<string[]> {
  const seen: string[] = [];
  await tracker.subscriptions.consume("all", caughtUp, (change: Change) => void seen.push(named(change)));
  return seen;
}

interfaceSuite("parked contacts", (test) => {
  test("they are listed in pages, with the change and the error", async () => {
    const { tracker } = await parked("ada@example.com", "bob@example.com");
    const { subscriptions } = tracker;
    const first = await subscriptions.parked("all", { limit: 1 });
    const [ada] = first.items;
    const { value: change } = await subscriptions.changes("all").next();
    assert.deepEqual(ada, {
      contactId: change.contact.id,
      changeId: change.id,
      change,
      error: "Error: no mail",
      tries: 1,
      parkedAt: ada?.parkedAt,
    });
    assert.ok(Date.parse(ada.parkedAt) <= Date.now());
    const second = await subscriptions.parked("all", { cursor: first.nextCursor ?? "" });
    assert.equal(second.nextCursor, null);
    assert.deepEqual(
      second.items.map((each) => each.change && "email" in each.change.contact && each.change.contact.email),
      ["bob@example.com"],
    );
  });

  test("later changes wait, and a retry goes on with all in order", async () => {
    const opened = await parked("ada@example.com");
    const { subscriptions } = opened.tracker;
    assert.deepEqual(await handled(opened), []);
    const [ada] = (await subscriptions.parked("all")).items;
    await subscriptions.retry("all", ada?.changeId ?? "");
    assert.deepEqual(await handled(opened), ["contact_created", "later"]);
    assert.deepEqual((await subscriptions.parked("all")).items, []);
  });

  test("a drop goes on with the next change, and a second drop is refused", async () => {
    const opened = await parked("ada@example.com");
    const { subscriptions } = opened.tracker;
    const [ada] = (await subscriptions.parked("all")).items;
    await subscriptions.drop("all", ada?.changeId ?? "");
    const codes = [];
    for (const call of [subscriptions.drop, subscriptions.retry]) {
      codes.push((await refusalOf(call("all", ada?.changeId ?? ""))).code);
    }
    assert.deepEqual(codes, ["change_not_parked", "change_not_parked"]);
    assert.deepEqual(await handled(opened), ["later"]);
  });

  test("a change that is no longer kept cannot be retried, and can be dropped", async () => {
    const opened = await parked("ada@example.com");
    const { subscriptions } = opened.tracker;
    await handled(opened);
    await opened.storage.removeOldChanges(Date.now() + 8 * 86_400_000);
    const [ada] = (await subscriptions.parked("all")).items;
    assert.equal(ada?.change, null);
    const refusal = await refusalOf(subscriptions.retry("all", ada.changeId));
    assert.deepEqual(
      [refusal.code, refusal.message],
      ["changes_expired", "The change is no longer kept. Drop it to go on."],
    );
    await subscriptions.drop("all", ada.changeId);
    assert.deepEqual((await subscriptions.parked("all")).items, []);
  });
});
