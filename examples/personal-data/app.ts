// A person asks for their data, and then for its deletion.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";

const tracker = createTracker({ storage: memoryStorage() });
await tracker.contacts.put("u_1", { email: "ada@example.com", name: "Ada" });
await tracker.events.track({ externalId: "u_1", eventKey: "order_completed", properties: { total: 42.5 } });

// Everything about the person, as JSON.
const { contact, events, eventSummaries } = await tracker.contacts.export("u_1");
assert.deepEqual([contact.name, events.length, eventSummaries[0]?.count], ["Ada", 1, 1]);

// The id or the email names whom to delete. The answer is the receipt.
assert.deepEqual(await tracker.contacts.delete("ada@example.com"), { contactId: contact.id, events: 1 });
assert.equal(await tracker.contacts.get("u_1"), null);
assert.equal((await tracker.events.recent()).items.length, 0);

// A second request finds nobody.
assert.equal(await tracker.contacts.delete("u_1", { ifExists: true }), null);

await tracker.close();
console.log("exported, deleted, and nothing is left");
