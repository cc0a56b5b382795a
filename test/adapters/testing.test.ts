import assert from "node:assert/strict";
import { testTracker } from "../../adapters/testing.ts";
import type { Definitions } from "../../lib/index.ts";
import { issuesOf, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const definitions = {
  events: [{ key: "order" }, { key: "mailed" }],
  attributes: [{ key: "seats", type: "number" }],
  audiences: [
    {
      key: "win_back",
      name: "Win back",
      rule: { not: { kind: "last_done_within", eventKey: "order", period: { days: 90 } } },
    },
  ],
  subscriptions: [
    { key: "mailer", on: { audiences: ["win_back"] } },
    { key: "mails", on: { events: ["mailed"] } },
  ],
} as const satisfies Definitions;

const ada = { externalId: "ada@example.com" };
const start = "2026-01-31T09:00:00.000Z";

suite("a tracker for tests", (test) => {
  test("the clock stands still, and moves by a length", async () => {
    const { tracker, advance } = testTracker({ now: start });
    await tracker.contacts.upsert({ email: ada.externalId });
    const times: string[] = [];
    for (const length of [undefined, { days: 1 }, { hours: 2 }, { minutes: 3 }]) {
      await advance(length);
      times.push((await tracker.events.track({ ...ada, eventKey: "order" })).event.createdAt);
    }
    const expected = ["2026-01-31T09:00", "2026-02-01T09:00", "2026-02-01T11:00", "2026-02-01T11:03"];
    assert.deepEqual(
      times,
      expected.map((time) => `${time}:00.000Z`),
    );
    assert.deepEqual(await issuesOf(advance({ days: 0 })), ["days out_of_range"]);
    assert.deepEqual(await issuesOf(advance(untyped({}))), [" too_short"]);
    const before = Date.now();
    const { tracker: today } = testTracker();
    assert.ok(Date.parse((await today.contacts.upsert({ email: "bob@example.com" })).contact.createdAt) >= before);
  });

  test("the definitions are stored before the first call, in each workspace by `provision`", async () => {
    const { tracker } = testTracker({ definitions });
    const contact = { email: ada.externalId, customAttributes: { seats: 3 } };
    assert.deepEqual((await tracker.contacts.upsert(contact)).contact.customAttributes, { seats: 3 });
    assert.deepEqual(await issuesOf(tracker.workspace("acme").contacts.upsert(contact)), [
      "customAttributes.seats attribute_not_defined",
    ]);
    const wrong = testTracker({ definitions: { attributes: [{ key: "1", type: "number" }] } });
    for (let n = 0; n < 2; n++)
      assert.deepEqual(await issuesOf(wrong.tracker.contacts.count()), ["attributes.0.key invalid_format"]);
    await wrong.tracker.close();
  });

  test("a sweep finds who enters an audience as time passes, and consumers run until no change is left", async () => {
    const { tracker, advance } = testTracker({ definitions, now: start });
    const calls: string[] = [];
    const mails = tracker.subscriptions.consume("mails", ({ event }) => void calls.push(event.eventKey));
    tracker.subscriptions.consume("mailer", { transaction: true, tries: 5 }, async ({ kind, contact }, { tx }) => {
      calls.push(`${kind} ${contact.email}`);
      await tx.events.track({ externalId: contact.externalId, eventKey: "mailed" });
    });
    await tracker.contacts.upsert({ email: ada.externalId });
    await advance();
    assert.deepEqual(calls.splice(0), ["audience_entered ada@example.com", "mailed"]);
    await tracker.events.track({ ...ada, eventKey: "order" });
    await advance({ days: 90 });
    assert.deepEqual(calls.splice(0), ["audience_left ada@example.com", "mailed"]);
    assert.deepEqual(mails.stats(), { handled: 2, failed: 0 });
    await mails.stop();
    await mails.ended;
    await advance({ minutes: 1 });
    assert.deepEqual(calls.splice(0), ["audience_entered ada@example.com"]);
  });

  test("consumers of every workspace run, and one with `until` at once", async () => {
    const { tracker, advance } = testTracker({ definitions });
    const acme = tracker.workspace("acme");
    await acme.provision();
    await acme.contacts.upsert({ email: ada.externalId });
    const handled: string[] = [];
    acme.subscriptions.consume("mails", ({ contact }) => void handled.push(contact.email));
    await acme.events.track({ ...ada, eventKey: "mailed" });
    await tracker.work({ until: "caught-up" });
    assert.deepEqual(handled.splice(0), []);
    await advance();
    assert.deepEqual(handled.splice(0), ["ada@example.com"]);
    await acme.events.track({ ...ada, eventKey: "mailed" });
    const once = acme.subscriptions.consume("mails", { until: "caught-up" }, () => {});
    assert.deepEqual(await once, { handled: 1, failed: 0 });
  });

  test("the error of a handler rejects `advance` after the others are handled; the next one tries again", async () => {
    const reported: unknown[] = [];
    const { tracker, advance } = testTracker({ definitions, onError: (error) => reported.push(error) });
    const handled: string[] = [];
    const outage = new Error("no mail today");
    let isDown = true;
    const consumer = tracker.subscriptions.consume("mails", async ({ contact }) => {
      if (isDown && contact.email === ada.externalId) throw outage;
      handled.push(contact.email);
    });
    for (const email of [ada.externalId, "bob@example.com"]) {
      await tracker.contacts.upsert({ email });
      await tracker.events.track({ externalId: email, eventKey: "mailed" });
    }
    for (let n = 0; n < 2; n++) await assert.rejects(advance({ hours: 1 }), outage);
    assert.deepEqual(consumer.stats(), { handled: 1, failed: 2 });
    isDown = false;
    await advance();
    assert.deepEqual(handled, ["bob@example.com", "ada@example.com"]);
    assert.deepEqual(reported, []);
    tracker.subscriptions.consume(untyped("nobody"), () => {});
    const later = tracker.subscriptions.consume("mails", () => {});
    await consumer.stop();
    await tracker.events.track({ ...ada, eventKey: "mailed" });
    await assert.rejects(advance(), { code: "definition_not_found" });
    assert.deepEqual(later.stats(), { handled: 1, failed: 0 });
  });

  test("a consumer that is stopped while `advance` runs ends with what is left, and does not run again", async () => {
    const { tracker, advance } = testTracker({ definitions });
    const trackMail = async (email: string): Promise<void> => {
      await tracker.contacts.upsert({ email });
      await tracker.events.track({ externalId: email, eventKey: "mailed" });
    };
    const consumer = tracker.subscriptions.consume("mails", () => void consumer.stop());
    for (const email of [ada.externalId, "bob@example.com"]) await trackMail(email);
    await advance();
    await consumer.ended;
    await trackMail(ada.externalId);
    await advance();
    assert.deepEqual(consumer.stats(), { handled: 2, failed: 0 });
  });

  test("two calls of `advance` at once, and what `consume` refuses, are refused at the call", async () => {
    const { tracker, advance } = testTracker({ definitions });
    const [first, second] = await Promise.allSettled([advance(), advance()]);
    assert.deepEqual([first.status, second.status], ["fulfilled", "rejected"]);
    assert.match(String((second as PromiseRejectedResult).reason), /advance is running/);
    await advance();
    assert.throws(() => tracker.subscriptions.consume("mails", untyped(undefined)), TypeError);
    assert.throws(() => tracker.subscriptions.consume("mails", { tries: 0 }, () => {}), { code: "invalid_input" });
  });

  test("the next `advance` tries all failed changes again, more than a page of them", async () => {
    const { tracker, advance } = testTracker({ definitions });
    let isDown = true;
    const { stats } = tracker.subscriptions.consume("mails", () => (isDown ? Promise.reject(new Error("down")) : null));
    const people = Array.from(
      { length: 1_001 },
      (_, n) => ({ email: `${n}@example.com`, eventKey: "mailed" }) as const,
    );
    await tracker.contacts.upsertMany(people.map(({ email }) => ({ email })));
    await tracker.events.trackMany(people.map(({ email, eventKey }) => ({ externalId: email, eventKey })));
    await assert.rejects(advance());
    isDown = false;
    await advance();
    assert.deepEqual(stats(), { handled: 1_001, failed: 1_001 });
  });

  test("`close` ends the consumers", async () => {
    const { tracker } = testTracker({ definitions });
    const { ended } = tracker.subscriptions.consume("mails", () => {});
    await tracker.close();
    await ended;
  });
});
