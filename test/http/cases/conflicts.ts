import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertConflict, contactOf } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** 409, and what it says of the contacts between which a value clashed. */
export function conflictCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "a patch to another contact's email is a conflict that names both, and changes nothing",
    visit(async (client) => {
      const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
      const bob = await add(client, { email: "bob@example.com", externalId: "u_2" });
      const answer = await client.patch("/contacts/u_2", { email: "ADA@example.com", name: "Bob" });
      assertConflict(answer, "email_taken", "email", [bob, ada]);
      assert.equal(contactOf(await client.get("/contacts/u_2")).name, null);
    }),
  );

  test(
    "a patch to another contact's externalId is a conflict that names both",
    visit(async (client) => {
      const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
      const bob = await add(client, { email: "bob@example.com" });
      const answer = await client.patch("/contacts/bob@example.com", { externalId: "u_1" });
      assertConflict(answer, "external_id_taken", "externalId", [bob, ada]);
    }),
  );

  test(
    "a first post with a taken externalId is a conflict that names its holder, and creates nothing",
    visit(async (client) => {
      const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
      const answer = await client.post("/contacts", { email: "bob@example.com", externalId: "u_1" });
      assertConflict(answer, "external_id_taken", "externalId", [ada]);
      assert.equal((await client.tracker.contacts.list()).items.length, 1);
    }),
  );

  test(
    "a post that updates to a taken externalId is a conflict that names both",
    visit(async (client) => {
      const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
      const bob = await add(client, { email: "bob@example.com", externalId: "u_2" });
      const answer = await client.post("/contacts", { email: "bob@example.com", externalId: "u_1" });
      assertConflict(answer, "external_id_taken", "externalId", [bob, ada]);
    }),
  );

  test(
    "the email that stands in for an externalId is taken as an externalId",
    visit(async (client) => {
      const ada = await add(client, { email: "ada@example.com" });
      const answer = await client.post("/contacts", { email: "bob@example.com", externalId: "ada@example.com" });
      assertConflict(answer, "external_id_taken", "externalId", [ada]);
    }),
  );

  test(
    "a contact is not created while its email is another's externalId, unless it brings its own",
    visit(async (client) => {
      const bob = await add(client, { email: "bob@example.com", externalId: "ada@example.com" });
      const answer = await client.post("/contacts", { email: "ada@example.com" });
      assertConflict(answer, "external_id_taken", "externalId", [bob]);
      const own = await client.post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      assert.equal(own.status, 201);
    }),
  );

  test(
    "a default externalId does not move onto another contact's",
    visit(async (client) => {
      const bob = await add(client, { email: "bob@example.com", externalId: "ada@example.com" });
      const carl = await add(client, { email: "carl@example.com" });
      const answer = await client.patch("/contacts/carl@example.com", { email: "ada@example.com" });
      assertConflict(answer, "external_id_taken", "externalId", [carl, bob]);
    }),
  );

  test(
    "null does not return to an email that is another contact's externalId",
    visit(async (client) => {
      const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
      const bob = await add(client, { email: "bob@example.com", externalId: "ada@example.com" });
      const answer = await client.patch("/contacts/u_1", { externalId: null });
      assertConflict(answer, "external_id_taken", "externalId", [ada, bob]);
    }),
  );

  test(
    "a contact's own email and externalId are no conflict",
    visit(async (client) => {
      await add(client, { email: "ada@example.com", externalId: "u_1" });
      const { status } = await client.patch("/contacts/u_1", { email: "ada@example.com", externalId: "u_1" });
      assert.equal(status, 200);
    }),
  );

  test(
    "an externalId that differs in case is no conflict",
    visit(async (client) => {
      await add(client, { email: "ada@example.com", externalId: "u_1" });
      assert.equal((await client.post("/contacts", { email: "bob@example.com", externalId: "U_1" })).status, 201);
    }),
  );
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
