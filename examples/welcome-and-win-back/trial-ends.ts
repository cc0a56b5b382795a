// A reminder three days before a trial ends. Two workers share them, and a trial that is extended is reminded again. Runs on MySQL if
// DATABASE_URL names an empty database; if not, in memory.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";
import { mysqlStorage } from "whodid/mysql";

const url = process.env["DATABASE_URL"];
const mysql = url ? mysqlStorage(url) : null;
await mysql?.migrate();
let day = 1; // The clock of this example: leave `now` out.
const tracker = createTracker({ storage: mysql ?? memoryStorage(), now: () => new Date(Date.UTC(2026, 10, day)) });
const rule = { kind: "attribute", key: "trialEnds", operator: "within", value: { next: { days: 3 } } } as const;
await tracker.provision({
  attributes: [{ key: "trialEnds", type: "date" }],
  audiences: [{ key: "trial_ending", name: "Trial ends in three days", rule }],
  subscriptions: [{ key: "reminder", on: { audiences: ["trial_ending"] } }],
});

const mails: string[] = [];
const consume = () =>
  tracker.subscriptions.consume("reminder", { until: "caught-up" }, ({ kind, contact }) => {
    if (kind === "audience_entered") mails.push(`${contact.externalId} on day ${day}`);
  });

const ends: Record<number, string> = { 1: "2026-11-10", 9: "2026-11-11", 10: "2026-11-30" };
for (day of [1, 7, 8, 9, 10, 27, 28, 29]) {
  const customAttributes = { trialEnds: ends[day] };
  await tracker.contacts.put("ada", { email: "ada@example.com", customAttributes });
  await tracker.work({ until: "caught-up" });
  await Promise.all([consume(), consume()]);
}
assert.deepEqual(mails, ["ada on day 8", "ada on day 28"]);
console.log(mails);
await tracker.close();
