/** History may be recorded in any order: by the end, what is known of a contact is the same. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { memoryStorage } from "../../../../adapters/memory/index.ts";
import { createTracker, type ChecklistDefinition, type NewEvent } from "../../../../lib/index.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const emails = ["ada@example.com", "bob@example.com"];
const eventKeys = ["signed_up", "bought"];
const checklist: ChecklistDefinition = {
  key: "start",
  name: "Start",
  items: [
    { key: "sign_up", name: "Sign up", when: { kind: "has_done", eventKey: "signed_up" } },
    { key: "buy", name: "Buy", when: { kind: "has_done", eventKey: "bought" } },
    { key: "buy_more", name: "Buy more", when: { kind: "count_greater_than", eventKey: "bought", count: 2 } },
  ],
};

const times = ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "2023-05-01T00:00:00Z", "2023-05-01T00:00:00.001Z"];
const event: fc.Arbitrary<NewEvent> = fc.record({
  externalId: fc.constantFrom(...emails),
  eventKey: fc.constantFrom(...eventKeys),
  createdAt: fc.oneof(
    fc.constantFrom(...times, undefined),
    fc.date({ min: new Date("2023-01-01T00:00:00Z"), max: new Date("2026-01-31T09:05:00Z"), noInvalidDate: true }),
  ),
});
const history = fc
  .array(event, { minLength: 1, maxLength: 20 })
  .chain((events) =>
    fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length }), fc.nat(4)),
  );

let runs = 0;

/** Records the events, some of them at once. Resolves with all that may not depend on their order. */
async function record(storage: Storage, events: readonly NewEvent[], atOnce: number): Promise<object> {
  const tracker = createTracker({ storage, now: () => new Date("2026-01-31T09:00:00Z") }).workspace(`w${++runs}`);
  const contacts = await Promise.all(emails.map((email) => tracker.contacts.upsert({ email })));
  await tracker.checklists.define(checklist);
  const announced: string[] = [];
  for (let start = 0; start < events.length; start += atOnce) {
    const part = events.slice(start, start + atOnce).map((each) => tracker.events.track(each));
    for (const { event: tracked, completedChecklistItems } of await Promise.all(part)) {
      announced.push(...completedChecklistItems.map(({ itemKey }) => `${tracked.contactId} ${itemKey}`));
    }
  }
  return Promise.all(
    contacts.map(async ({ contact: { id, email } }) => ({
      summaries: await storage.findSummaries(`w${runs}`, id),
      progress: await tracker.checklists.progress(email),
      listed: (await tracker.events.list(email)).items
        .map(({ eventKey, createdAt }) => `${createdAt} ${eventKey}`)
        .sort(),
      announced: announced
        .filter((text) => text.startsWith(id))
        .map((text) => text.replace(/.* /, ""))
        .sort(),
    })),
  );
}

databaseSuite("history in any order", await database(), (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("gives the same summaries and completed items, on memory and on mysql", async (opened) => {
    const property = fc.asyncProperty(history, async ([events, shuffled, more]) => {
      const expected = await record(memoryStorage(), events, 1);
      assert.deepEqual(await record(memoryStorage(), shuffled, 1 + more), expected);
      assert.deepEqual(await record(opened.storage, shuffled, 1 + more), expected);
    });
    await fc.assert(property, { numRuns: 60, endOnFailure: true });
  });
});
