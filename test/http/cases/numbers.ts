import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

export function numberCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const [json, read] of [
    ["9007199254740991", 9_007_199_254_740_991],
    ["-9007199254740991", -9_007_199_254_740_991],
    ["9007199254740991.0", 9_007_199_254_740_991],
    ["-1.5", -1.5],
    ["5e-324", 5e-324],
    ["-0", 0],
  ] as const) {
    test(`the number ${json} is stored and read as ${read}`, async (client) => {
      await client.tracker.attributes.define({ key: "n", type: "number" });
      assert.deepEqual(contactOf(await postAttribute(client, json)).customAttributes, { n: read });
      assert.deepEqual(contactOf(await client.get("/contacts/ada@example.com")).customAttributes, { n: read });
      const contact = await client.tracker.contacts.get("ada@example.com");
      assert.deepEqual({ ...contact?.customAttributes }, { n: read });
      assert.equal((await postProperty(client, json)).status, 201);
      const { items } = await client.tracker.events.list("ada@example.com");
      assert.deepEqual(items[0]?.properties, { n: read });
    });
  }

  for (const json of ["9007199254740992", "-9007199254740992", "1e16", "1e999", "-1e999"]) {
    test(`the number ${json} is refused`, async (client) => {
      await client.tracker.attributes.define({ key: "n", type: "number" });
      assertInvalid(await postAttribute(client, json), ["customAttributes.n: out_of_range"]);
      assertInvalid(await postProperty(client, json), ["properties.n: out_of_range"]);
    });
  }
}

function postAttribute({ send }: Client, json: string): Promise<DoorAnswer> {
  const body = `{"email":"ada@example.com","customAttributes":{"n":${json}}}`;
  return send({ method: "POST", path: "/api/v1/contacts", body });
}

function postProperty({ send }: Client, json: string): Promise<DoorAnswer> {
  const body = `{"externalId":"ada@example.com","eventKey":"x","properties":{"n":${json}}}`;
  return send({ method: "POST", path: "/api/v1/events", body });
}
