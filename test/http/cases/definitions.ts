import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import type { Change } from "../../../lib/index.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { clientOf, visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";
import { answeredBy } from "./reading.ts";

const rule = { kind: "has_done", eventKey: "bought" } as const;
const items = [{ key: "buy", name: "Buy", when: rule }];

/** Of each kind: its path, the field of an answer, a key, a definition and a change of it. */
const kinds = [
  ["/event-types", "eventType", "Order Completed", { name: "Order", properties: { total: "number" } }, { name: null }],
  ["/attributes", "attribute", "seats", { type: "number", name: null }, { type: "number", name: "Seats" }],
  ["/audiences", "audience", "buyers", { name: "Buyers", rule }, { name: "Others", rule: { not: rule } }],
  ["/checklists", "checklist", "start", { name: "Start", items }, { name: "Begin", items }],
] as const;

/** Definitions and API keys, which take a key with the access admin. */
export function definitionCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);
  const asAdmin = (name: string, run: (client: Omit<Client, "setClock">) => Promise<void>): void =>
    test(name, async ({ door, tracker }) => {
      const { key } = await tracker.apiKeys.create({ name: "admin", access: "admin" });
      await run(clientOf(door, key));
    });

  for (const [path, field, key, definition, change] of kinds) {
    const own = `${path}/${encodeURIComponent(key)}`;

    asAdmin(`PUT ${path}/:key defines, changes and repeats, and GET ${path} shows it`, async ({ get, put }) => {
      assert.deepEqual(answeredBy(await put(own, definition)), { [field]: { key, ...definition } });
      for (const sent of [change, { ...change, key }]) {
        assert.deepEqual(answeredBy(await put(own, sent)), { [field]: { key, ...change } });
      }
      assert.deepEqual(answeredBy(await get(path)), { items: [{ key, ...change }] });
    });

    asAdmin(`DELETE ${path}/:key deletes it, once`, async (client) => {
      await client.put(own, definition);
      assert.deepEqual(answeredBy(await client.delete(own)), {});
      assert.deepEqual(answeredBy(await client.get(path)), { items: [] });
      assertRefused(await client.delete(own), 404, "definition_not_found");
    });

    asAdmin(
      `PUT ${path}/:key refuses another key in its body, an unknown field, and a list, and names all problems at once`,
      async ({ get, put }) => {
        assertInvalid(await put(own, { ...definition, key: "other" }), ["key: invalid_format"]);
        assertInvalid(await put(own, { ...definition, color: "red" }), ["color: unknown_field"]);
        const several = { ...definition, key: "other", name: "", color: "red" };
        assertInvalid(await put(own, several), ["key: invalid_format", "name: too_short", "color: unknown_field"]);
        assertInvalid(await put(own, [definition]), [": wrong_type"]);
        assert.deepEqual(answeredBy(await get(path)), { items: [] });
      },
    );
  }

  asAdmin("an attribute keeps its type, and stays while an audience names it", async (client) => {
    await client.put("/attributes/seats", { type: "number" });
    assertRefused(await client.put("/attributes/seats", { type: "text" }), 409, "attribute_conflict");
    const about = { kind: "attribute", key: "seats", operator: "is_set", value: true };
    await client.put("/audiences/seated", { name: "Seated", rule: about });
    assertRefused(await client.delete("/attributes/seats"), 409, "definition_in_use");
  });

  asAdmin(
    "the use of event keys is listed, also beside an event type that is called usage",
    async ({ tracker, get, put }) => {
      await tracker.contacts.upsert({ email: "ada@example.com" });
      await tracker.events.track({ externalId: "ada@example.com", eventKey: "bougth" });
      await put("/event-types/usage", {});
      const { items: usages } = answeredBy(await get("/event-types/usage?limit=9")) as { items: object[] };
      assert.deepEqual(
        usages.map((usage) => [(usage as { key: string }).key, (usage as { defined: boolean }).defined]),
        [
          ["bougth", false],
          ["usage", true],
        ],
      );
    },
  );

  asAdmin(
    "the newest entries into an audience are listed without the other changes of the subscription",
    async ({ tracker, get, put }) => {
      const isPro = { kind: "field", field: "plan", operator: "equals", value: "pro" };
      await put("/audiences/pros", { name: "Pros", rule: isPro });
      await put("/subscriptions/all", { on: { contacts: true, audiences: ["pros"] } });
      await tracker.work({ until: "caught-up" });
      await tracker.contacts.upsert({ email: "ada@example.com", plan: "pro" });
      await tracker.contacts.upsert({ email: "bob@example.com" });
      await tracker.work({ until: "caught-up" });
      const newest = answeredBy(await get("/subscriptions/all/changes/recent?audienceKey=pros"))["items"] as Change[];
      assert.deepEqual(newest, await tracker.subscriptions.recent("all", { audienceKey: "pros" }));
      assert.deepEqual(
        newest.map(({ kind }) => kind),
        ["audience_entered"],
      );
      assert.deepEqual(await tracker.subscriptions.recent("all", { audienceKey: "others" }), []);
      assertInvalid(await get("/subscriptions/all/changes/recent?audienceKey=1&after=x"), [
        "after: unknown_field",
        "audienceKey: invalid_format",
      ]);
    },
  );

  asAdmin("an API key is made, shown once, listed and revoked", async (client) => {
    const wanted = { name: "reader", access: "read", requestsPerMinute: 5, expiresAt: "2027-01-01T00:00:00Z" };
    const { status, body } = await client.post("/api-keys", wanted);
    const { key, apiKey } = body as { key: string; apiKey: { id: string } };
    assert.equal(status, 201);
    assert.deepEqual(apiKey, {
      id: apiKey.id,
      name: "reader",
      prefix: key.slice(0, 12),
      access: "read",
      requestsPerMinute: 5,
      expiresAt: "2027-01-01T00:00:00.000Z",
      createdAt: "2026-11-20T10:00:00.000Z",
      lastUsedAt: null,
    });
    const listed = await client.get("/api-keys");
    assert.deepEqual((answeredBy(listed)["items"] as object[]).at(-1), apiKey);
    assert.equal(JSON.stringify(listed.body).includes(key), false);
    assert.equal((await clientOf(client.door, key).get("/contacts")).status, 200);
    const lastUsedAt = "2026-11-20T10:00:00.000Z";
    const own = { workspace: "default", apiKey: { ...apiKey, lastUsedAt } };
    assert.deepEqual(answeredBy(await clientOf(client.door, key).get("/key")), own);
    assert.deepEqual(answeredBy(await client.delete(`/api-keys/${apiKey.id}`)), {});
    assertRefused(await clientOf(client.door, key).get("/contacts"), 401, "invalid_api_key");
    assertRefused(await client.delete(`/api-keys/${apiKey.id}`), 404, "api_key_not_found");
  });
}
