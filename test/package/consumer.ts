// What somebody who keeps all in memory writes. Type-checked and run where only the packed package is installed.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTracker, TrackerError, type Contact, type ErrorCode, type Storage, type Tracker } from "whodid";
import { createClient, type Client } from "whodid/client";
import { dashboard, type Dashboard, type DashboardOptions } from "whodid/dashboard";
import { visitors, type TokenVisitorsOptions, type Visitors, type VisitorsOptions } from "whodid/visitors";
import { memoryStorage } from "whodid/memory";
import { metrics } from "whodid/metrics";
import { toListener } from "whodid/node";
import { decideEvent, type EventDraft, type Refused } from "whodid/storage";
import { storageContract } from "whodid/storage-contract";
import { testTracker } from "whodid/testing";

const storage: Storage = memoryStorage();
const tracker: Tracker = createTracker({ storage });
const { contact }: { contact: Contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
const { event } = await tracker.events.track({ externalId: contact.externalId, eventKey: "signup_completed" });
assert.equal(event.contactId, contact.id);

const refused: unknown = await tracker.contacts.update("nobody", { name: "x" }).catch((error: unknown) => error);
assert.ok(refused instanceof TrackerError);
const code: ErrorCode = refused.code;
assert.equal(code, "contact_not_found");

const definitions = { events: [{ key: "order_completed", properties: { total: "number", coupon: "text?" } }] } as const;
const typed = createTracker({ storage: memoryStorage(), definitions });
const { audiences } = typed;
await typed.contacts.upsert({ email: "ada@example.com" });
await typed.events.track({ externalId: "ada@example.com", eventKey: "order_completed", properties: { total: 42.5 } });
assert.equal(await audiences.count({ kind: "has_done", eventKey: "order_completed" }), 1);
const plain: Tracker = typed;
assert.equal((await plain.events.list("ada@example.com")).items.length, 1);

const { tracker: tested, advance } = testTracker({ definitions });
tested satisfies Tracker<unknown, typeof definitions>;
await advance({ days: 3 });

const listener = toListener(tracker);
const server = createServer((request, response) => void listener(request, response)).listen(0, "127.0.0.1");
await once(server, "listening");
const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
const url = `${api}/contacts/u_1`;
const answers = [await fetch(url), await tracker.handle(new Request(url))];
assert.deepEqual(
  answers.map(({ status }) => status),
  [401, 401],
);

assert.deepEqual([await tracker.health(), await metrics(tracker)], [{ ok: true, cause: null }, ""]);

const { key } = await tracker.apiKeys.create({ name: "consumer" });
const client: Client = createClient({ url: api, key });
assert.deepEqual(await client.events.list("ada@example.com"), await tracker.events.list("ada@example.com"));
await assert.rejects(client.contacts.update("nobody", { name: "x" }), { code: "contact_not_found" });
await client.close();
server.close();
server.closeAllConnections();

const authorize: DashboardOptions["authorize"] = (request) => (request as Request).headers.has("x-admin");
const mounted: Dashboard = dashboard(tracker, { basePath: "/whodid", authorize });
const page = await mounted.handle(new Request("http://localhost/whodid", { headers: { "x-admin": "1" } }));
assert.equal(page.status, 200);
assert.equal((await mounted.handle(new Request("http://localhost/whodid"))).status, 403);
assert.equal(typeof toListener(mounted), "function");

const identify: VisitorsOptions["identify"] = (request) => (request as Request).headers.get("x-user");
export const withTokens: TokenVisitorsOptions = { basePath: "/visitors", secrets: { default: [] }, create: true };
const door: Visitors = visitors(tracker, { basePath: "/me", identify, events: ["signup_completed"] });
const checklists = new Request("http://localhost/me/checklists", { headers: { "x-user": "ada@example.com" } });
assert.equal((await door.handle(checklists)).status, 200);
assert.equal((await door.handle(new Request("http://localhost/me/checklists"))).status, 401);
assert.equal(typeof toListener(door), "function");
const module = await (await door.handle(new Request("http://localhost/me/whodid.js"))).text();
assert.match(module, /whodid-checklist/);

const draft: EventDraft = {
  workspace: "default",
  id: event.id,
  contact: { email: "ada@example.com" },
  eventKey: "signup_completed",
  properties: "{}",
  createdAt: 0,
  recordedAt: 0,
  idempotencyHash: null,
  fingerprint: null,
  mustBeDefined: false,
};
assert.deepEqual(decideEvent(draft, null, null, null, null), { answer: null });
const refusal: Refused = { refused: { code: "contact_not_found" } };
assert.deepEqual(await storage.deleteContact("default", "nobody", 0), refusal);

const names: string[] = [];
storageContract(
  (name) => names.push(name),
  async () => {
    const opened = memoryStorage();
    const begin = async () => {
      const transaction = opened.begin();
      return { transaction, commit: () => transaction.commit(), rollback: () => transaction.rollback() };
    };
    return { storage: opened, begin, dispose: async () => {} };
  },
);
assert.ok(names.length > 100);
console.log(
  "whodid, whodid/client, whodid/dashboard, whodid/memory, whodid/metrics, whodid/node, whodid/storage, whodid/storage-contract, whodid/testing, whodid/visitors",
);
