// Testing one's own Express app on memory: no port, no database.
import assert from "node:assert/strict";
import request from "supertest";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";
import { createApp } from "./express.ts";

const tracker = createTracker({ storage: memoryStorage() });
const { key } = await tracker.apiKeys.create({ name: "test" });
await tracker.contacts.put("u_1", { email: "ada@example.com" });

await request(createApp(tracker))
  .post("/api/v1/events")
  .auth(key, { type: "bearer" })
  .send({ externalId: "u_1", eventKey: "signup_completed" })
  .expect(201);

const { items } = await tracker.events.list("u_1");
assert.equal(items[0]?.eventKey, "signup_completed");
console.log("recorded through the app");
