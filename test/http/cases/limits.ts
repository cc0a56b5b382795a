import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf, eventOf } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** `bytes` bytes of UTF-8 in about half as many characters, so that who counts characters is found out. */
function sized(bytes: number): string {
  return "é".repeat(Math.floor(bytes / 2)) + "a".repeat(bytes % 2);
}

const contactTexts: [field: string, maxBytes: number, make: (bytes: number) => string][] = [
  ["email", 254, (bytes) => `${sized(bytes - 12)}@example.com`],
  ["externalId", 255, sized],
  ["name", 1_000, sized],
  ["phone", 1_000, sized],
  ["role", 1_000, sized],
  ["plan", 1_000, sized],
  ["avatarUrl", 2_048, (bytes) => `https://example.com/${sized(bytes - 20)}`],
];

export function limitCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  for (const [field, maxBytes, make] of contactTexts) {
    test(
      `${field} takes ${maxBytes} bytes and no more`,
      visit(async ({ post }) => {
        const fits = { email: "ada@example.com", [field]: make(maxBytes) };
        assert.equal(contactOf(await post("/contacts", fits))[field as "name"], make(maxBytes));
        const tooLong = { email: "bob@example.com", [field]: make(maxBytes + 1) };
        assertInvalid(await post("/contacts", tooLong), [`${field}: too_long`]);
      }),
    );
  }

  test(
    "an identifier in a path takes 255 bytes and no more",
    visit(async ({ post, get, patch, delete: remove }) => {
      const externalId = sized(255);
      await post("/contacts", { email: "ada@example.com", externalId });
      assert.equal(contactOf(await get(`/contacts/${encodeURIComponent(externalId)}`)).externalId, externalId);
      const tooLong = `/contacts/${encodeURIComponent(sized(256))}`;
      assertInvalid(await get(tooLong), ["externalId: too_long"]);
      assertInvalid(await patch(tooLong, {}), ["externalId: too_long"]);
      assertInvalid(await remove(tooLong), ["identifier: too_long"]);
    }),
  );

  test(
    "a text attribute takes 4096 bytes and no more",
    visit(async ({ post, tracker }) => {
      await tracker.attributes.define({ key: "note", type: "text" });
      const fits = { email: "ada@example.com", customAttributes: { note: sized(4_096) } };
      assert.deepEqual(contactOf(await post("/contacts", fits)).customAttributes, { note: sized(4_096) });
      const tooLong = { email: "ada@example.com", customAttributes: { note: sized(4_097) } };
      assertInvalid(await post("/contacts", tooLong), ["customAttributes.note: too_long"]);
    }),
  );

  test(
    "an attribute's key takes 100 bytes and no more",
    visit(async ({ post, tracker }) => {
      const key = "k".repeat(100);
      await tracker.attributes.define({ key, type: "number" });
      const fits = { email: "ada@example.com", customAttributes: { [key]: 1 } };
      assert.deepEqual(contactOf(await post("/contacts", fits)).customAttributes, { [key]: 1 });
      const tooLong = { email: "ada@example.com", customAttributes: { [`${key}k`]: 1 } };
      assertInvalid(await post("/contacts", tooLong), [`customAttributes.${key}k: too_long`]);
    }),
  );

  test(
    "a contact has 100 attributes and no more, however they came",
    visit(async (client) => {
      const keys = Array.from({ length: 101 }, (_, n) => `a${n}`);
      await client.tracker.provision({ attributes: keys.map((key) => ({ key, type: "number" })) });
      assertInvalid(await write(client, keys), ["customAttributes: too_long"]);
      assert.equal(Object.keys(contactOf(await write(client, keys.slice(0, 100))).customAttributes).length, 100);
      assertInvalid(await write(client, ["a100"]), ["customAttributes: too_long"]);
    }),
  );

  for (const [field, make] of [
    ["eventKey", (eventKey: string) => ({ externalId: "ada@example.com", eventKey })],
    ["event", (event: string) => ({ email: "ada@example.com", event })],
  ] as const) {
    test(
      `${field} takes 100 bytes and no more`,
      visit(async ({ post }) => {
        await post("/contacts", { email: "ada@example.com" });
        assert.equal(eventOf(await post("/events", make(sized(100)))).eventKey, sized(100));
        assertInvalid(await post("/events", make(sized(101))), [`${field}: too_long`]);
      }),
    );
  }

  test(
    "a property's key takes 100 bytes and no more, its text 4096",
    visit(async ({ post, tracker }) => {
      await post("/contacts", { email: "ada@example.com" });
      const event = { externalId: "ada@example.com", eventKey: "x" };
      await post("/events", { ...event, properties: { [sized(100)]: sized(4_096) } });
      const { items } = await tracker.events.list("ada@example.com");
      assert.deepEqual(items[0]?.properties, { [sized(100)]: sized(4_096) });
      assertInvalid(await post("/events", { ...event, properties: { [sized(101)]: 1, text: sized(4_097) } }), [
        `properties.${sized(101)}: too_long`,
        "properties.text: too_long",
      ]);
    }),
  );

  test(
    "an event has 256 properties and no more",
    visit(async ({ post }) => {
      await post("/contacts", { email: "ada@example.com" });
      const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, n]));
      const event = { externalId: "ada@example.com", eventKey: "x" };
      assert.equal((await post("/events", { ...event, properties: many(256) })).status, 201);
      assertInvalid(await post("/events", { ...event, properties: many(257) }), ["properties: too_long"]);
    }),
  );
}

function write({ post }: Client, keys: string[]): ReturnType<Client["post"]> {
  const customAttributes = Object.fromEntries(keys.map((key) => [key, 1]));
  return post("/contacts", { email: "ada@example.com", customAttributes });
}
