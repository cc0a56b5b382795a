// An Express app with routes and a pool of its own, and whodid mounted in it. DATABASE_URL names a database.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createPool } from "mysql2/promise";
import { createTracker } from "whodid";
import { mysqlStorage } from "whodid/mysql";
import { createApp } from "../mounts/express.ts";

const pool = createPool({ uri: process.env["DATABASE_URL"]! });
const storage = mysqlStorage(pool);
await storage.migrate();
const tracker = createTracker({ storage });

const app = createApp(tracker);
app.post("/signup", async (request, response) => {
  const { email } = request.body as { email: string };
  const { contact } = await tracker.contacts.upsert({ email, signedUpAt: new Date() });
  await tracker.events.track({ externalId: contact.externalId, eventKey: "signup_completed" });
  response.status(201).json({ id: contact.id });
});

const server = app.listen(0);
await once(server, "listening");
const url = `http://localhost:${(server.address() as AddressInfo).port}`;

const { key } = await tracker.apiKeys.create({ name: "backend" });
const post = (path: string, body: object): Promise<Response> =>
  fetch(url + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

assert.equal((await post("/signup", { email: "ada@example.com" })).status, 201);
assert.equal((await post("/api/v1/events", { externalId: "ada@example.com", eventKey: "page_viewed" })).status, 201);
const { items } = await tracker.events.list("ada@example.com");
assert.deepEqual(
  items.map(({ eventKey }) => eventKey),
  ["page_viewed", "signup_completed"],
);

server.closeAllConnections();
server.close();
await tracker.close();
await pool.end();
console.log("signed up through the app, viewed a page through the API");
