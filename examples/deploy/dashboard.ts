// An Express app with sessions of its own, and the dashboard mounted in it for its admins.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express, { type Request } from "express";
import { createTracker } from "whodid";
import { dashboard } from "whodid/dashboard";
import { memoryStorage } from "whodid/memory";
import { toListener } from "whodid/node";

interface SignedIn extends Request {
  user?: { isAdmin: boolean };
}

const tracker = createTracker({ storage: memoryStorage() });
await tracker.contacts.upsert({ email: "ada@example.com" });

const app = express();
// Stands for the session of an app.
app.use((request: SignedIn, _, next) => {
  request.user = { isAdmin: request.get("Cookie") === "session=admin" };
  next();
});
const mounted = dashboard(tracker, {
  basePath: "/whodid",
  authorize: (request: SignedIn) => request.user?.isAdmin === true,
});
app.use("/whodid", toListener(mounted));

const server = app.listen(0);
await once(server, "listening");
const url = `http://localhost:${(server.address() as AddressInfo).port}/whodid`;
const as = (session: string): RequestInit => ({ headers: { Cookie: `session=${session}` } });

assert.equal((await fetch(url, as("member"))).status, 403);
assert.match(await (await fetch(url, as("admin"))).text(), /<title>whodid<\/title>/);
// The routes of the HTTP API return everything that the pages show. They need no API key here.
const contacts = (await (await fetch(`${url}/api/contacts`, as("admin"))).json()) as { items: { email: string }[] };
assert.deepEqual(
  contacts.items.map(({ email }) => email),
  ["ada@example.com"],
);

server.closeAllConnections();
server.close();
await tracker.close();
console.log("an admin saw the dashboard, and nobody else");
