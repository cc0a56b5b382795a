/** The steps of `run.ts` with the types of openapi-typescript, by openapi-fetch. */
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "./made.ts";

const { URL: baseUrl = "", KEY = "" } = process.env;
const open = (key: string) => createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const { GET, POST, PUT, PATCH, DELETE } = open(KEY);
const path = { identifier: "u_1" };

async function step<Answer extends { response: Response }>(name: string, status: number, asked: Promise<Answer>) {
  const answer = await asked;
  assert.equal(answer.response.status, status, name);
  console.log(name);
  return answer;
}

const key = (name: string) => ({ path: { key: name } });
await step("attribute", 200, PUT("/attributes/{key}", { params: key("seats"), body: { type: "number" } }));

const customAttributes = { seats: 3 };
const ada = await step("upsert", 201, POST("/contacts", { body: { email: "ada@example.com", customAttributes } }));
assert.deepEqual(ada.data!.contact.customAttributes, customAttributes);

const body = { email: "ada@example.com", plan: "pro" };
const put = await step("put", 200, PUT("/contacts/{identifier}", { params: { path }, body }));
assert.equal(put.data!.contact.externalId, "u_1");

const patched = await step("update", 200, PATCH("/contacts/{identifier}", { params: { path }, body: { name: null } }));
assert.equal(patched.data!.contact.plan, "pro");

const event = { externalId: "u_1", eventKey: "step", properties: { n: 1 } };
const keyed = { params: { header: { "Idempotency-Key": "k-1" } }, body: event };
const recorded = await step("event", 201, POST("/events", keyed));
const repeated = await step("repeat", 201, POST("/events", keyed));
assert.equal(repeated.data!.event.id, recorded.data!.event.id);
await step("older", 201, POST("/events", { body: { email: "ada@example.com", event: "step" } }));

const items = [event, { ...event, externalId: "nobody" }];
const batch = await step("batch", 200, POST("/events/batch", { body: { items } }));
const [, refused] = batch.data!.items;
assert.ok(refused && "error" in refused.body && refused.body.error.code === "contact_not_found");

const page = (cursor?: string) =>
  GET("/contacts/{identifier}/events", { params: { path, query: { limit: 2, ...(cursor && { cursor }) } } });
const first = await page();
const second = await step("pages", 200, page(first.data!.nextCursor!));
assert.deepEqual([first.data!.items.length, second.data!.items.length, second.data!.nextCursor], [2, 1, null]);

const properties = { n: "number?" } as const;
await step("type", 200, PUT("/event-types/{key}", { params: key("step"), body: { properties } }));
const done = { kind: "has_done", eventKey: "step" } as const;
const list = [
  { key: "first", name: "First", when: done },
  { key: "hand", name: "By hand" },
];
await step("checklist", 200, PUT("/checklists/{key}", { params: key("start"), body: { name: "Start", items: list } }));
const onPro = { kind: "field", field: "plan", operator: "equals", value: "pro" } as const;
const rule = { all: [done, { any: [onPro, { not: done }] }] };
await step("audience", 200, PUT("/audiences/{key}", { params: key("active"), body: { name: "Active", rule } }));
const on = { events: true, contacts: true } as const;
await step("subscription", 200, PUT("/subscriptions/{key}", { params: key("all"), body: { on } }));
const members = await step("members", 200, GET("/audiences/{key}/members", { params: key("active") }));
assert.equal(members.data!.items[0]!.email, "ada@example.com");

const of = { path: { ...path, checklistKey: "start", itemKey: "hand" } };
const complete = "/contacts/{identifier}/checklists/{checklistKey}/items/{itemKey}/complete";
const progress = await step("completion", 200, POST(complete, { params: of }));
assert.deepEqual(progress.data!.checklist.progress, { completed: 2, total: 2 });

await POST("/contacts", { body: { email: "bob@example.com" } });
const params = { ...key("all"), query: { wait: 5 } };
const changes = await step("changes", 200, GET("/subscriptions/{key}/changes", { params }));
const [change] = changes.data!.items;
assert.ok(change?.kind === "contact_created" && change.contact.email === "bob@example.com");

const taken = await step(
  "conflict",
  409,
  PATCH("/contacts/{identifier}", { params: { path }, body: { email: "bob@example.com" } }),
);
assert.equal(taken.error!.error.conflict!.contacts.length, 2);
const nobody = await step(
  "unknown",
  404,
  GET("/contacts/{identifier}", { params: { path: { identifier: "nobody" } } }),
);
assert.equal(nobody.error!.error.code, "contact_not_found");

const created = await POST("/api-keys", { body: { name: "Slow", access: "read", requestsPerMinute: 1 } });
const slow = open(created.data!.key);
await slow.GET("/attributes");
const limited = await step("limit", 429, slow.GET("/attributes"));
assert.equal(limited.error!.error.code, "rate_limited");

const deleted = await step("deletion", 200, DELETE("/contacts/{identifier}", { params: { path } }));
assert.equal(deleted.data!.deleted.events, 3);
