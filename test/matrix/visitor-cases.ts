/** What the routes of visitors that are mounted at `/me` answer, whatever they are mounted in. */
import assert from "node:assert/strict";
import type { Tracker } from "../../lib/index.ts";
import type { Door, DoorAnswer } from "../http/door.ts";

const ada = { "x-user": "ada" };
const own = { ...ada, "x-whodid-visitor": "1" };
const items = [
  { key: "call", name: "Call" },
  { key: "step", name: "Step", when: { kind: "has_done", eventKey: "step" } },
] as const;

async function withAda(tracker: Tracker): Promise<void> {
  await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
  await tracker.checklists.define({ key: "start", name: "Start", items });
}

/** The cases by their titles. */
export const visitorCases: Readonly<Record<string, (door: Door) => Promise<void>>> = {
  "a visitor reads its checklists, and again with their ETag": async ({ send, tracker }) => {
    await withAda(tracker);
    const first = await send({ method: "GET", path: "/me/checklists", headers: ada });
    assert.deepEqual([first.status, itemsOf(first)], [200, await tracker.checklists.progress("ada")]);
    const headers = { ...ada, "if-none-match": first.headers.get("etag")! };
    const again = await send({ method: "GET", path: "/me/checklists", headers });
    assert.deepEqual([again.status, again.body], [304, null]);
  },
  "a visitor completes an item and records an event": async ({ send, tracker }) => {
    await withAda(tracker);
    const path = "/me/checklists/start/items/call/complete";
    assert.equal((await send({ method: "POST", path, headers: own })).status, 200);
    const body = JSON.stringify({ items: [{ eventKey: "step", idempotencyKey: "k" }] });
    const headers = { ...own, "content-type": "application/json" };
    const recorded = await send({ method: "POST", path: "/me/events", headers, body });
    assert.deepEqual(itemsOf(recorded), [{ status: 201, body: { success: true } }]);
    assert.deepEqual((await tracker.checklists.progress("ada"))[0]!.progress, { completed: 2, total: 2 });
  },
  "a visitor who is not identified is answered 401, and a write without the header 403": async ({ send, tracker }) => {
    await withAda(tracker);
    assert.equal((await send({ method: "GET", path: "/me/checklists" })).status, 401);
    const path = "/me/checklists/start/dismiss";
    assert.equal((await send({ method: "POST", path, headers: ada })).status, 403);
    assert.equal((await tracker.checklists.progress("ada"))[0]!.dismissedAt, null);
  },
};

function itemsOf({ body }: DoorAnswer): unknown {
  return (body as { items: unknown }).items;
}
