import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertRefused } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

const event = { externalId: "u_1", eventKey: "bought" };

/** What the header may hold. */
export function idempotencyKeyCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "a key means the same bare and in double quotes",
    visit(async (client) => {
      await add(client);
      await track(client, "k1");
      assert.equal((await track(client, '"k1"')).headers.get("Idempotent-Replayed"), "true");
    }),
  );

  for (const [name, key] of [
    ["1 character", "k"],
    ["255 characters", "k".repeat(255)],
    ["255 characters in quotes", `"${"k".repeat(255)}"`],
    ["all visible ASCII", Array.from({ length: 94 }, (_, n) => String.fromCharCode(0x21 + n)).join("")],
  ] as const) {
    test(
      `a key of ${name} is taken`,
      visit(async (client) => {
        await add(client);
        await track(client, key);
        assert.equal((await track(client, key)).headers.get("Idempotent-Replayed"), "true");
      }),
    );
  }

  for (const [name, key] of [
    ["no character", ""],
    ["empty quotes", '""'],
    ["256 characters", "k".repeat(256)],
    ["256 characters in quotes", `"${"k".repeat(256)}"`],
    ["a space inside", "k 1"],
    ["a letter beyond ASCII", "clé"],
  ] as const) {
    test(
      `a key of ${name} answers 400 and stores nothing`,
      visit(async (client) => {
        await add(client);
        assertRefused(await track(client, key), 400, "invalid_header");
        assert.deepEqual((await client.tracker.events.list("u_1")).items, []);
      }),
    );
  }
}

async function add({ post }: Client): Promise<void> {
  await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
}

function track({ post }: Client, key: string): Promise<DoorAnswer> {
  return post("/events", event, { "Idempotency-Key": key });
}
