import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

const event = { externalId: "u_1", eventKey: "bought", properties: { plan: "pro", seats: 1 } };

export function idempotencyCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("the same key and body again answer the same again, said to be a replay, and store nothing", async (client) => {
    await add(client);
    const first = await track(client, "k1", event);
    client.setClock("2026-11-21T10:00:00.000Z");
    const second = await track(client, "k1", event);
    assert.equal(first.headers.get("Idempotent-Replayed"), null);
    assert.equal(second.headers.get("Idempotent-Replayed"), "true");
    assert.deepEqual([second.status, second.body], [201, first.body]);
    assert.equal((await client.tracker.events.list("u_1")).items.length, 1);
  });

  test("keys that differ in case are two", async (client) => {
    await add(client);
    await track(client, "k1", event);
    assert.equal((await track(client, "K1", event)).headers.get("Idempotent-Replayed"), null);
  });

  test("the order of fields and properties makes no other body", async (client) => {
    await add(client);
    await track(client, "k1", event);
    const again = { properties: { seats: 1, plan: "pro" }, eventKey: "bought", externalId: "u_1" };
    assert.equal((await track(client, "k1", again)).headers.get("Idempotent-Replayed"), "true");
  });

  for (const [name, other] of [
    ["contact", { ...event, externalId: "u_2" }],
    ["event key", { ...event, eventKey: "sold" }],
    ["property", { ...event, properties: { plan: "pro", seats: 2 } }],
    ["type of a property", { ...event, properties: { plan: "pro", seats: "1" } }],
    ["number of properties", { ...event, properties: { plan: "pro" } }],
    ["property beside the same", { ...event, properties: { plan: "pro", seats: 1, extra: 1 } }],
    ["name of the same contact", { email: "ada@example.com", event: "bought", properties: event.properties }],
    ["contact, though there is none", { ...event, externalId: "u_3" }],
  ] as const) {
    test(`the same key with another ${name} answers 422 and stores nothing`, async (client) => {
      await add(client);
      await client.post("/contacts", { email: "bob@example.com", externalId: "u_2" });
      await track(client, "k1", event);
      assertRefused(await track(client, "k1", other), 422, "idempotency_key_reused");
      assert.equal((await client.tracker.events.list("u_1")).items.length, 1);
      assert.equal((await client.tracker.events.list("u_2")).items.length, 0);
    });
  }

  test("a key is free again after a 400", async (client) => {
    await add(client);
    assertInvalid(await track(client, "k1", { ...event, eventKey: "" }), ["eventKey: too_short"]);
    const answer = await track(client, "k1", event);
    assert.deepEqual([answer.status, answer.headers.get("Idempotent-Replayed")], [201, null]);
  });
}

/** What the header may hold. */
export function idempotencyKeyCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("255 characters are a key, also in quotes", async (client) => {
    await add(client);
    await track(client, "k".repeat(255), event);
    const quoted = await track(client, `"${"k".repeat(255)}"`, event);
    assert.equal(quoted.headers.get("Idempotent-Replayed"), "true");
  });

  test("a header that is no key answers 400 and stores nothing", async (client) => {
    await add(client);
    for (const key of ["", '""', `"${"k".repeat(256)}"`, "k 1", "clé"]) {
      assertRefused(await track(client, key, event), 400, "invalid_header");
    }
    assert.deepEqual((await client.tracker.events.list("u_1")).items, []);
  });
}

async function add({ post }: Client): Promise<void> {
  await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
}

function track({ post }: Client, key: string, body: object): Promise<DoorAnswer> {
  return post("/events", body, { "Idempotency-Key": key });
}
