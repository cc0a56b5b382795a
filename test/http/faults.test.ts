import assert from "node:assert/strict";
import { TrackerError } from "../../lib/index.ts";
import { suite } from "../support/suite.ts";
import { assertRefused } from "./answers.ts";
import { openFaulty, rejecting, secret, type FaultyClient } from "./faulty.ts";

suite("errors that no rule accounts for", (test) => {
  for (const [method, run] of [
    ["findApiKey", ({ get }: FaultyClient) => get("/contacts/u_1")],
    ["consume", ({ get }: FaultyClient) => get("/contacts/u_1")],
    ["findContact", ({ get }: FaultyClient) => get("/contacts/u_1")],
    ["upsertContacts", ({ post }: FaultyClient) => post("/contacts", { email: "a@b" })],
    ["listDefinitions", ({ post }: FaultyClient) => post("/contacts", { email: "a@b", customAttributes: { x: 1 } })],
    ["updateContact", ({ patch }: FaultyClient) => patch("/contacts/u_1", { name: "x" })],
    ["deleteContact", ({ delete: remove }: FaultyClient) => remove("/contacts/u_1")],
    ["recordEvents", ({ post }: FaultyClient) => post("/events", { externalId: "u_1", eventKey: "x" })],
  ] as const) {
    test(`a fault of ${method} is answered 500, which tells nothing, and reported once`, async () => {
      const client = await openFaulty({ [method]: rejecting(secret) });
      const answer = await run(client);
      assertRefused(answer, 500, "internal");
      assert.equal(JSON.stringify([...answer.headers, answer.body]).includes("mArKeR4711"), false);
      assert.equal(answer.headers.get("X-RateLimit-Limit"), "100");
      assert.deepEqual(client.reported, [secret]);
    });

    test(`${method} saying that the storage is unavailable is answered 503 with a time to try again`, async () => {
      const client = await openFaulty({ [method]: rejecting(new TrackerError("storage_unavailable")) });
      const answer = await run(client);
      assertRefused(answer, 503, "storage_unavailable");
      assert.match(answer.headers.get("Retry-After") ?? "", /^[1-9][0-9]*$/);
      assert.equal(answer.headers.get("X-RateLimit-Limit"), "100");
      assert.deepEqual(client.reported, []);
    });
  }

  for (const thrown of [undefined, null, "text", 0, { code: "contact_not_found" }]) {
    test(`${JSON.stringify(thrown)}, thrown, is answered 500 and reported once`, async () => {
      const client = await openFaulty({ findContact: rejecting(thrown) });
      assertRefused(await client.get("/contacts/u_1"), 500, "internal");
      assert.deepEqual(client.reported, [thrown]);
    });
  }

  test("a storage that throws before it returns a promise is answered 500", async () => {
    const client = await openFaulty({
      findContact() {
        throw secret;
      },
    });
    assertRefused(await client.get("/contacts/u_1"), 500, "internal");
    assert.deepEqual(client.reported, [secret]);
  });

  for (const code of ["transaction_required", "transaction_lost"] as const) {
    test(`${code}, which is for in-process callers, is answered 500 and reported`, async () => {
      const error = new TrackerError(code);
      const client = await openFaulty({ findContact: rejecting(error) });
      assertRefused(await client.get("/contacts/u_1"), 500, "internal");
      assert.deepEqual(client.reported, [error]);
    });
  }

  test("HEAD of a fault is answered 500 without a body, and reported once", async () => {
    const client = await openFaulty({ findContact: rejecting(secret) });
    const { status, body } = await client.send({ method: "HEAD", path: "/api/v1/contacts/u_1" });
    assert.deepEqual([status, body], [500, null]);
    assert.deepEqual(client.reported, [secret]);
  });

  test("a refusal is not reported", async () => {
    const client = await openFaulty({});
    await client.get("/contacts/u_1");
    await client.get("/nowhere");
    await client.post("/contacts", null);
    await client.door.send({ method: "GET", path: "/api/v1/contacts/u_1" });
    assert.deepEqual(client.reported, []);
  });

  test("a clock that throws is answered 500 and reported once", async () => {
    let isBroken = false;
    const now = (): Date => {
      if (isBroken) throw secret;
      return new Date(0);
    };
    const client = await openFaulty({}, { now });
    isBroken = true;
    assertRefused(await client.get("/contacts/u_1"), 500, "internal");
    assert.deepEqual(client.reported, [secret]);
  });
});
