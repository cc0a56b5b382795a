// The HTTP API without a server: a Request in, a Response out. Any framework that has both can mount it.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";

const tracker = createTracker({ storage: memoryStorage() });
const { key } = await tracker.apiKeys.create({ name: "backend" });

function send(method: string, path: string, body?: object): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
  return tracker.handle(new Request(`http://localhost/api/v1${path}`, init));
}

const created = await send("PUT", "/contacts/u_1", { email: "ada@example.com" });
assert.equal(created.status, 201);

const tracked = await send("POST", "/events", { externalId: "u_1", eventKey: "signup_completed" });
assert.equal(tracked.status, 201);
assert.equal(tracked.headers.get("X-RateLimit-Remaining"), "98");

const refused = await send("POST", "/contacts", { email: "bob@example.com", externalId: "u_1" });
const { error } = (await refused.json()) as { error: { code: string; conflict: { contacts: { email: string }[] } } };
assert.equal(refused.status, 409);
assert.equal(error.code, "external_id_taken");
assert.equal(error.conflict.contacts[0]?.email, "ada@example.com");

const stranger = await tracker.handle(new Request("http://localhost/api/v1/contacts/u_1"));
assert.equal(stranger.status, 401);

await tracker.close();
console.log("201 created, 201 tracked, 409 external_id_taken, 401 without a key");
