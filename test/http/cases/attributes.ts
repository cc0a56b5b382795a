import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";

export function attributeCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "get reads the attributes that post wrote, and patch merges into them",
    visit(async (client) => {
      await defineThree(client);
      await write(client, { seats: 1, note: "x" });
      const patched = await client.patch("/contacts/ada@example.com", { customAttributes: { seats: 2, note: null } });
      assert.deepEqual(contactOf(patched).customAttributes, { seats: 2 });
      assert.deepEqual(contactOf(await client.get("/contacts/ada@example.com")).customAttributes, { seats: 2 });
    }),
  );

  test(
    "customAttributes itself cannot be null, a list or a text",
    visit(async ({ post }) => {
      for (const [customAttributes, code] of [
        [null, "not_allowed_null"],
        [[], "wrong_type"],
        ["", "wrong_type"],
      ]) {
        const answer = await post("/contacts", { email: "ada@example.com", customAttributes });
        assertInvalid(answer, [`customAttributes: ${String(code)}`]);
      }
    }),
  );

  test(
    "keys that are not defined are each named, and nothing is stored",
    visit(async (client) => {
      await defineThree(client);
      const customAttributes = { seats: 1, seat: 2, VIP: true, gone: null };
      assertInvalid(await client.post("/contacts", { email: "ada@example.com", customAttributes }), [
        "customAttributes.seat: attribute_not_defined",
        "customAttributes.VIP: attribute_not_defined",
        "customAttributes.gone: attribute_not_defined",
      ]);
      assert.deepEqual((await client.tracker.contacts.list()).items, []);
    }),
  );

  test(
    "values of another type than the defined one are each named, and nothing is stored",
    visit(async (client) => {
      await defineThree(client);
      await write(client, { seats: 1 });
      const customAttributes = { seats: "2", vip: 1, note: false };
      assertInvalid(await client.patch("/contacts/ada@example.com", { name: "Ada", customAttributes }), [
        "customAttributes.seats: attribute_wrong_type",
        "customAttributes.vip: attribute_wrong_type",
        "customAttributes.note: attribute_wrong_type",
      ]);
      const { name, customAttributes: kept } = contactOf(await client.get("/contacts/ada@example.com"));
      assert.deepEqual([name, kept], [null, { seats: 1 }]);
    }),
  );

  test(
    "a list or an object is no value",
    visit(async (client) => {
      await defineThree(client);
      const customAttributes = { seats: [1], note: { text: "x" } };
      assertInvalid(await client.post("/contacts", { email: "ada@example.com", customAttributes }), [
        "customAttributes.seats: wrong_type",
        "customAttributes.note: wrong_type",
      ]);
    }),
  );

  test(
    "attributes may have the names that every object inherits",
    visit(async (client) => {
      for (const key of ["constructor", "toString", "toJSON", "hasOwnProperty"]) {
        await client.tracker.attributes.define({ key, type: "text" });
      }
      const values = { constructor: "a", toString: "b", toJSON: "c", hasOwnProperty: "d" };
      assert.deepEqual(await write(client, values), values);
      assert.deepEqual(contactOf(await client.get("/contacts/ada@example.com")).customAttributes, values);
    }),
  );
}

async function defineThree({ tracker }: Client): Promise<void> {
  await tracker.attributes.define({ key: "seats", type: "number" });
  await tracker.attributes.define({ key: "vip", type: "boolean" });
  await tracker.attributes.define({ key: "note", type: "text" });
}

async function write({ post }: Client, customAttributes: object): Promise<object> {
  return contactOf(await post("/contacts", { email: "ada@example.com", customAttributes })).customAttributes;
}
