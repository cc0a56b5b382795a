import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { TrackerError, type Storage } from "../../lib/index.ts";
import { suite } from "../support/suite.ts";
import { assertRefused, eventOf } from "./answers.ts";
import { openFaulty, rejecting, secret } from "./faulty.ts";

suite("after an error of the storage", (test) => {
  for (const [what, onError] of [
    ["throws", () => assert.fail()],
    ["rejects", () => Promise.reject(secret)],
    ["never resolves", () => new Promise(() => {})],
  ] as [string, () => unknown][]) {
    test(`an onError that ${what} does no harm`, async () => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown): unknown => unhandled.push(reason);
      process.on("unhandledRejection", note);
      const client = await openFaulty({ findContact: rejecting(secret) }, { onError });
      assertRefused(await client.get("/contacts/u_1"), 500, "internal");
      assertRefused(await client.delete("/contacts/u_1"), 404, "contact_not_found");
      await setImmediate();
      process.off("unhandledRejection", note);
      assert.deepEqual(unhandled, []);
    });
  }

  test("onError is told which request it was", async () => {
    const contexts: unknown[] = [];
    const onError = (_: unknown, context: object): unknown => contexts.push(context);
    const client = await openFaulty({ findContact: rejecting(secret) }, { onError });
    const headers = { authorization: `Bearer ${client.key}` };
    const request = new Request("http://localhost/api/v1/contacts/u_1", { headers });
    await client.tracker.handle(request);
    assert.deepEqual(contexts, [{ request }]);
  });

  test("a definition of a later version is answered as such, and onError is told", async () => {
    const told: unknown[] = [];
    const error = new TrackerError("definition_unknown");
    const client = await openFaulty({ findContact: rejecting(error) }, { onError: (one) => told.push(one) });
    assertRefused(await client.get("/contacts/u_1"), 500, "definition_unknown");
    assert.deepEqual(told, [error]);
  });

  for (const [status, error] of [
    [500, secret],
    [503, new TrackerError("storage_unavailable")],
  ] as const) {
    test(`an idempotency key is free again after a ${status}`, async () => {
      let fails = true;
      const { recordEvents, ...rest } = memoryStorage();
      const storage: Storage = {
        ...rest,
        recordEvents: (items) => (fails ? Promise.reject(error) : recordEvents(items)),
      };
      const client = await openFaulty(storage);
      await client.post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      const track = () => client.post("/events", { externalId: "u_1", eventKey: "x" }, { "Idempotency-Key": "k1" });
      assert.equal((await track()).status, status);
      fails = false;
      const answer = await track();
      assert.match(eventOf(answer).id, /^[0-9a-f-]{36}$/);
      assert.equal(answer.headers.get("Idempotent-Replayed"), null);
    });
  }
});
