import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertConflict, contactOf } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** 409, and what it says of the contacts between which a value clashed. */
export function conflictCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("a patch to another contact's email is a conflict that names both, and changes nothing", async (client) => {
    const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
    const bob = await add(client, { email: "bob@example.com", externalId: "u_2" });
    const answer = await client.patch("/contacts/u_2", { email: "ADA@example.com", name: "Bob" });
    assertConflict(answer, "email_taken", "email", [bob, ada]);
    assert.equal(contactOf(await client.get("/contacts/u_2")).name, null);
  });

  test("a first post with a taken externalId is a conflict that names its holder", async (client) => {
    const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
    const answer = await client.post("/contacts", { email: "bob@example.com", externalId: "u_1" });
    assertConflict(answer, "external_id_taken", "externalId", [ada]);
    assert.equal((await client.tracker.contacts.list()).items.length, 1);
  });
}

interface Named {
  id: string;
  email: string;
  externalId: string;
}

async function add({ post }: Client, fields: object): Promise<Named> {
  const { id, email, externalId } = contactOf(await post("/contacts", fields));
  return { id, email, externalId };
}
