// Acting on what contacts did, under a stopped clock: an onboarding checklist, and customers to win back.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";

let now = new Date("2026-01-01T09:00:00.000Z");
const tracker = createTracker({ storage: memoryStorage(), now: () => now });

await tracker.checklists.define({
  key: "onboarding",
  name: "Onboarding",
  items: [
    { key: "sign_up", name: "Sign up", when: { kind: "has_done", eventKey: "signup_completed" } },
    { key: "report", name: "Make two", when: { kind: "count_greater_than", eventKey: "report_created", count: 1 } },
    { key: "call", name: "Talk to us" },
  ],
});
await tracker.contacts.upsert({ email: "ada@example.com" });
const track = (eventKey: string) => tracker.events.track({ externalId: "ada@example.com", eventKey });

// Only the event that completes an item returns the item.
const { completedChecklistItems } = await track("signup_completed");
assert.deepEqual(completedChecklistItems, [
  {
    checklistKey: "onboarding",
    itemKey: "sign_up",
    name: "Sign up",
    completedAt: "2026-01-01T09:00:00.000Z",
    progress: { completed: 1, total: 3 },
  },
]);
assert.deepEqual((await track("signup_completed")).completedChecklistItems, []);
assert.deepEqual((await track("report_created")).completedChecklistItems, []);
assert.equal((await track("report_created")).completedChecklistItems[0]?.itemKey, "report");

// The last item is completed by hand.
const { progress } = await tracker.checklists.complete("ada@example.com", "onboarding", "call");
assert.deepEqual(progress, { completed: 3, total: 3 });

// Customers with more than two purchases, but none within the last 30 days.
await tracker.audiences.define({
  key: "win_back",
  name: "Win back",
  rule: {
    all: [
      { kind: "count_greater_than", eventKey: "purchase_completed", count: 2 },
      { not: { kind: "last_done_within", eventKey: "purchase_completed", period: { days: 30 } } },
    ],
  },
});
for (let n = 0; n < 3; n++) await track("purchase_completed");

now = new Date("2026-01-31T09:00:00.000Z");
assert.equal(await tracker.audiences.count("win_back"), 0); // exactly 30 days is within 30 days
now = new Date("2026-01-31T09:00:00.001Z");
const { items } = await tracker.audiences.members("win_back");
assert.deepEqual(
  items.map(({ email }) => email),
  ["ada@example.com"],
);

const { match, because } = await tracker.audiences.explain("win_back", "ada@example.com");
assert.equal(match, true);
assert.deepEqual(because[1], {
  rule: { kind: "last_done_within", eventKey: "purchase_completed", period: { days: 30 } },
  match: false,
  observed: { count: 3, firstAt: "2026-01-01T09:00:00.000Z", lastAt: "2026-01-01T09:00:00.000Z" },
});

await tracker.close();
console.log("an item is announced once, and a customer missed from the 31st day on");
