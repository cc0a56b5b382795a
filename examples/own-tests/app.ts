// A test of one's own code: a mail to who ordered nothing in the three days after the signup. No database, and no waiting.
import assert from "node:assert/strict";
import type { Definitions, Tracker } from "whodid";
import { testTracker } from "whodid/testing";

const signedUp = { kind: "last_done_within", eventKey: "signed_up", period: { ago: { days: 3 } } } as const;
const rule = { all: [signedUp, { not: { kind: "has_done", eventKey: "ordered" } }] } as const;
const definitions = {
  events: [{ key: "signed_up" }, { key: "ordered" }, { key: "reminded" }],
  audiences: [{ key: "idle", name: "Idle", rule }],
  subscriptions: [{ key: "mailer", on: { audiences: ["idle"] } }],
} as const satisfies Definitions;

/** One's own code: without a mail there is no event. */
function startMailer(tracker: Tracker<unknown, typeof definitions>, send: (to: string) => void) {
  tracker.subscriptions.consume("mailer", { transaction: true }, async ({ kind, contact }, { tx }) => {
    if (kind !== "audience_entered") return;
    await tx.events.track({ externalId: contact.email, eventKey: "reminded" });
    send(contact.email);
  });
}

const { tracker, advance } = testTracker({ definitions });
let send: (to: string) => void = () => assert.fail("no mail today");
startMailer(tracker, (to) => send(to));
await tracker.contacts.upsert({ email: "ada@example.com" });
await tracker.events.track({ externalId: "ada@example.com", eventKey: "signed_up" });
await advance({ days: 3 });
await assert.rejects(advance({ minutes: 1 }), /no mail today/);
send = () => {};
await advance();
const { items } = await tracker.events.list("ada@example.com");
assert.deepEqual([items.length, items[0]?.eventKey], [2, "reminded"]);
console.log("one mail, after three days");
