// One user, two names: an id of the app, which stays, and an email, which changes.
import assert from "node:assert/strict";
import { createTracker, TrackerError } from "whodid";
import { memoryStorage } from "whodid/memory";

const tracker = createTracker({ storage: memoryStorage() });

// A lead of a form has an email alone. Its externalId is the email until it gets one.
const { contact: lead } = await tracker.contacts.upsert({ email: "ada@example.com" });
assert.equal(lead.externalId, "ada@example.com");

// The lead signs up: the same contact gets the id of the app's user.
const { contact: user, created } = await tracker.contacts.put("u_1", { email: "ada@example.com", name: "Ada" });
assert.deepEqual([user.id === lead.id, created, user.externalId], [true, false, "u_1"]);

// A changed email moves with the id.
const { contact: moved } = await tracker.contacts.put("u_1", { email: "ada@new.example" });
assert.deepEqual([moved.id === lead.id, moved.email], [true, "ada@new.example"]);
assert.equal(await tracker.contacts.get("ada@example.com"), null);

// Another user cannot take the email. The error names both contacts.
await tracker.contacts.put("u_2", { email: "bob@example.com" });
const refused: unknown = await tracker.contacts
  .put("u_2", { email: "ada@new.example" })
  .catch((error: unknown) => error);
assert.ok(refused instanceof TrackerError && refused.code === "email_taken");
assert.deepEqual(
  refused.conflict.contacts.map(({ externalId }) => externalId),
  ["u_2", "u_1"],
);

await tracker.close();
console.log("one contact, from the lead to the changed email");
