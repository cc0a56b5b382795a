// A mail to customers who have ordered nothing for 90 days, once a quarter, and to nobody who never ordered. Two workers share them.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";

let day = 0; // The clock of this example: leave `now` out.
const tracker = createTracker({ storage: memoryStorage(), now: () => new Date(Date.UTC(2026, 0, day)) });
const not = (eventKey: string) => ({ not: { kind: "last_done_within", eventKey, period: { days: 90 } } }) as const;
const ordered = { kind: "has_done", eventKey: "order_completed" } as const;
const rule = { all: [ordered, not("order_completed"), not("win_back_mailed")] };
const audiences = [{ key: "win_back", name: "Win back", rule }];
await tracker.provision({ audiences, subscriptions: [{ key: "mailer", on: { audiences: ["win_back"] } }] });

const mails: string[] = [];
const consume = () =>
  tracker.subscriptions.consume("mailer", { transaction: true, until: "caught-up" }, async (change, { tx }) => {
    if (change.kind !== "audience_entered") return;
    const externalId = change.contact.externalId ?? change.contact.email;
    await tx.events.track({ externalId, eventKey: "win_back_mailed" });
    mails.push(`${externalId} on day ${day}`);
  });

for (const email of ["ada@example.com", "lead@example.com"]) await tracker.contacts.upsert({ email });
await tracker.events.track({ externalId: "ada@example.com", eventKey: "order_completed" });
for (; day < 250; day += 10) {
  await tracker.work({ until: "caught-up" });
  await Promise.all([consume(), consume()]);
}
assert.deepEqual(mails, ["ada@example.com on day 100", "ada@example.com on day 200"]);
console.log(mails);
