import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { contactOf } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";

export function attributeCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("get reads the attributes that post wrote, and patch merges into them", async (client) => {
    await client.tracker.attributes.define({ key: "seats", type: "number" });
    await client.tracker.attributes.define({ key: "note", type: "text" });
    await write(client, { seats: 1, note: "x" });
    const patched = await client.patch("/contacts/ada@example.com", { customAttributes: { seats: 2, note: null } });
    assert.deepEqual(contactOf(patched).customAttributes, { seats: 2 });
    assert.deepEqual(contactOf(await client.get("/contacts/ada@example.com")).customAttributes, { seats: 2 });
  });

  test("attributes may have the names that every object inherits", async (client) => {
    for (const key of ["constructor", "toString", "toJSON", "hasOwnProperty"]) {
      await client.tracker.attributes.define({ key, type: "text" });
    }
    const values = { constructor: "a", toString: "b", toJSON: "c", hasOwnProperty: "d" };
    assert.deepEqual(await write(client, values), values);
    assert.deepEqual(contactOf(await client.get("/contacts/ada@example.com")).customAttributes, values);
  });
}

async function write({ post }: Client, customAttributes: object): Promise<object> {
  return contactOf(await post("/contacts", { email: "ada@example.com", customAttributes })).customAttributes;
}
