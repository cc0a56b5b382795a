import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertRefused } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

const event = { externalId: "u_1", eventKey: "bought" };

/** What the header may hold. */
export function idempotencyKeyCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("a key means the same bare and in double quotes", async (client) => {
    await add(client);
    await track(client, "k1");
    assert.equal((await track(client, '"k1"')).headers.get("Idempotent-Replayed"), "true");
  });

  test("255 characters are a key, also in quotes", async (client) => {
    await add(client);
    await track(client, "k".repeat(255));
    const quoted = await track(client, `"${"k".repeat(255)}"`);
    assert.equal(quoted.headers.get("Idempotent-Replayed"), "true");
  });

  test("a header that is no key answers 400 and stores nothing", async (client) => {
    await add(client);
    for (const key of ["", '""', `"${"k".repeat(256)}"`, "k 1", "clé"]) {
      assertRefused(await track(client, key), 400, "invalid_header");
    }
    assert.deepEqual((await client.tracker.events.list("u_1")).items, []);
  });
}

async function add({ post }: Client): Promise<void> {
  await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
}

function track({ post }: Client, key: string): Promise<DoorAnswer> {
  return post("/events", event, { "Idempotency-Key": key });
}
