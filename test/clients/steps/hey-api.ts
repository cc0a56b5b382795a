/** The steps of `run.ts` by the client that hey-api makes. */
import assert from "node:assert/strict";
import { createClient } from "./made/client/index.js";
import * as api from "./made/sdk.gen.js";

const { URL: baseUrl = "", KEY = "" } = process.env;
const open = (auth: string) => createClient({ baseUrl, auth });
const client = open(KEY);
const path = { identifier: "u_1" };

async function step<Answer extends { response?: Response | undefined }>(
  name: string,
  status: number,
  asked: Promise<Answer>,
) {
  const answer = await asked;
  assert.equal(answer.response?.status, status, name);
  console.log(name);
  return answer;
}

const key = (name: string) => ({ path: { key: name } });
await step("attribute", 200, api.putAttribute({ client, ...key("seats"), body: { type: "number" } }));

const customAttributes = { seats: 3 };
const ada = await step(
  "upsert",
  201,
  api.upsertContact({ client, body: { email: "ada@example.com", customAttributes } }),
);
assert.deepEqual(ada.data!.contact.customAttributes, customAttributes);

const body = { email: "ada@example.com", plan: "pro" };
const put = await step("put", 200, api.putContact({ client, path, body }));
assert.equal(put.data!.contact.externalId, "u_1");

const patched = await step("update", 200, api.updateContact({ client, path, body: { name: null } }));
assert.equal(patched.data!.contact.plan, "pro");

const event = { externalId: "u_1", eventKey: "step", properties: { n: 1 } };
const keyed = { client, headers: { "Idempotency-Key": "k-1" }, body: event };
const recorded = await step("event", 201, api.trackEvent(keyed));
const repeated = await step("repeat", 201, api.trackEvent(keyed));
assert.equal(repeated.data!.event.id, recorded.data!.event.id);
await step("older", 201, api.trackEvent({ client, body: { email: "ada@example.com", event: "step" } }));

const items = [event, { ...event, externalId: "nobody" }];
const batch = await step("batch", 200, api.trackEvents({ client, body: { items } }));
const [, refused] = batch.data!.items;
assert.ok(refused && "error" in refused.body && refused.body.error.code === "contact_not_found");

const page = (cursor?: string) => api.listEvents({ client, path, query: { limit: 2, ...(cursor && { cursor }) } });
const first = await page();
const second = await step("pages", 200, page(first.data!.nextCursor!));
assert.deepEqual([first.data!.items.length, second.data!.items.length, second.data!.nextCursor], [2, 1, null]);

const properties = { n: "number?" } as const;
await step("type", 200, api.putEventType({ client, ...key("step"), body: { properties } }));
const done = { kind: "has_done", eventKey: "step" } as const;
const list = [
  { key: "first", name: "First", when: done },
  { key: "hand", name: "By hand" },
];
await step("checklist", 200, api.putChecklist({ client, ...key("start"), body: { name: "Start", items: list } }));
const onPro = { kind: "field", field: "plan", operator: "equals", value: "pro" } as const;
const rule = { all: [done, { any: [onPro, { not: done }] }] };
await step("audience", 200, api.putAudience({ client, ...key("active"), body: { name: "Active", rule } }));
const on = { events: true, contacts: true } as const;
await step("subscription", 200, api.putSubscription({ client, ...key("all"), body: { on } }));
const members = await step("members", 200, api.listMembers({ client, ...key("active") }));
assert.equal(members.data!.items[0]!.email, "ada@example.com");

const of = { ...path, checklistKey: "start", itemKey: "hand" };
const progress = await step("completion", 200, api.completeItem({ client, path: of }));
assert.deepEqual(progress.data!.checklist.progress, { completed: 2, total: 2 });

await api.upsertContact({ client, body: { email: "bob@example.com" } });
const changes = await step("changes", 200, api.listChanges({ client, ...key("all"), query: { wait: 5 } }));
const [change] = changes.data!.items;
assert.ok(change?.kind === "contact_created" && change.contact.email === "bob@example.com");

const taken = await step("conflict", 409, api.updateContact({ client, path, body: { email: "bob@example.com" } }));
assert.equal(taken.error!.error.conflict!.contacts.length, 2);
const nobody = await step("unknown", 404, api.getContact({ client, path: { identifier: "nobody" } }));
assert.equal(nobody.error!.error.code, "contact_not_found");

const created = await api.createApiKey({ client, body: { name: "Slow", access: "read", requestsPerMinute: 1 } });
const slow = open(created.data!.key);
await api.listAttributes({ client: slow });
const limited = await step("limit", 429, api.listAttributes({ client: slow }));
assert.equal(limited.error!.error.code, "rate_limited");

const deleted = await step("deletion", 200, api.deleteContact({ client, path }));
assert.equal(deleted.data!.deleted.events, 3);
