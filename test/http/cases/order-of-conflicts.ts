import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** The end of the order of refusals: 400, 404, then 409 or 422. */
export function orderOfConflictsCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("404 comes before 409", async ({ post, patch }) => {
    await post("/contacts", { email: "ada@example.com" });
    assertRefused(await patch("/contacts/u_1", { email: "ada@example.com" }), 404, "contact_not_found");
  });

  test("400 comes before 409", async ({ post }) => {
    await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
    assertInvalid(await post("/contacts", { email: "bob@example.com", externalId: "u_1", name: 1 }), [
      "name: wrong_type",
    ]);
  });

  test("400 for one attribute too many comes before 409", async (client) => {
    await client.post("/contacts", { email: "ada@example.com", externalId: "u_1" });
    const customAttributes = await define101(client);
    assertInvalid(await client.post("/contacts", { email: "bob@example.com", externalId: "u_1", customAttributes }), [
      "customAttributes: too_long",
    ]);
  });

  test("400 comes before 422", async ({ post }) => {
    const key = { "Idempotency-Key": "k1" };
    await post("/contacts", { email: "ada@example.com" });
    await post("/events", { externalId: "ada@example.com", eventKey: "bought" }, key);
    const answer = await post("/events", { externalId: "ada@example.com", eventKey: "" }, key);
    assertInvalid(answer, ["eventKey: too_short"]);
  });
}

async function define101({ tracker }: Client): Promise<Record<string, number>> {
  const keys = Array.from({ length: 101 }, (_, n) => `a${n}`);
  await tracker.provision({ attributes: keys.map((key) => ({ key, type: "number" })) });
  return Object.fromEntries(keys.map((key) => [key, 1]));
}
