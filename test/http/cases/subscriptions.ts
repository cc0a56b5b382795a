import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "../../../lib/index.ts";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { clientOf, visitsTo, type Client, type Visit } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";
import { answeredBy } from "./reading.ts";

const all = { events: true, contacts: true, checklists: true } as const;
const changes = "/subscriptions/all/changes";

/** The kinds of the changes of a page, its cursor, and whether others follow. */
function pageOf(answer: DoorAnswer): { kinds: string[]; cursor: string; more: boolean } {
  const { items, cursor, more } = answeredBy(answer) as { items: Change[]; cursor: string; more: boolean };
  return { kinds: items.map(({ kind }) => kind), cursor, more };
}

/** Causes a `contact_created` and an `event_recorded`, and logs them. */
async function addAda({ tracker }: Pick<Client, "tracker">): Promise<void> {
  await tracker.contacts.upsert({ email: "ada@example.com" });
  await tracker.events.track({ externalId: "ada@example.com", eventKey: "step", properties: { n: 1 } });
  await tracker.work({ until: "caught-up" });
}

/** Subscriptions, and the changes that they have. */
export function subscriptionCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);
  const subscribed: Visit = (name, run) =>
    test(name, async (client) => {
      await client.tracker.subscriptions.define({ key: "all", on: all });
      await run(client);
    });

  test("the secret of a webhook is shown once, and no cache stores it", async ({ door, tracker }) => {
    await tracker.subscriptions.define({ key: "hook", on: all, url: "https://partner.example/" });
    const { key } = await tracker.apiKeys.create({ name: "admin", access: "admin" });
    const { get, post } = clientOf(door, key);
    const answer = await post("/subscriptions/hook/secrets", undefined);
    const { success, secret, ...listed } = answer.body as Record<string, unknown>;
    assert.deepEqual([answer.status, success, typeof secret], [201, true, "string"]);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.deepEqual(answeredBy(await get("/subscriptions/hook/secrets")), { items: [listed] });
  });

  subscribed(
    "the changes of contacts, events and checklists are read in pages that follow one another",
    async (client) => {
      const { get, tracker } = client;
      const when = { kind: "has_done", eventKey: "step" } as const;
      await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "a", name: "A", when }] });
      await addAda(client);
      const first = pageOf(await get(`${changes}?limit=2`));
      assert.deepEqual([first.kinds, first.more], [["contact_created", "event_recorded"], true]);
      const second = pageOf(await get(`${changes}?after=${first.cursor}&limit=2`));
      assert.deepEqual([second.kinds, second.more], [["item_completed", "checklist_completed"], false]);
      await tracker.contacts.delete("ada@example.com");
      await tracker.work({ until: "caught-up" });
      assert.deepEqual(pageOf(await get(`${changes}?after=${second.cursor}`)).kinds, ["contact_deleted"]);
      assert.deepEqual(pageOf(await get(changes)).kinds, ["contact_deleted"]);
    },
  );

  subscribed("a request that waits gets the next change, and counts once", async (client) => {
    const { cursor } = pageOf(await client.get(changes));
    const waiting = client.get(`${changes}?after=${cursor}&wait=9`);
    // Longer than the second for which it waits in any case.
    await sleep(1_100);
    await client.tracker.contacts.upsert({ email: "ada@example.com" });
    await client.tracker.work({ until: "caught-up" });
    const answer = await waiting;
    assert.deepEqual(pageOf(answer).kinds, ["contact_created"]);
    assert.equal(answer.headers.get("x-ratelimit-remaining"), "98");
  });

  subscribed(
    "a request that waits gets a full page at once, and an empty one at the end of its time",
    async (client) => {
      await addAda(client);
      const { kinds, cursor } = pageOf(await client.get(`${changes}?limit=2&wait=25`));
      assert.deepEqual(kinds, ["contact_created", "event_recorded"]);
      const empty = pageOf(await client.get(`${changes}?after=${cursor}&wait=1`));
      assert.deepEqual(empty.kinds, []);
      assert.deepEqual(pageOf(await client.get(`${changes}?after=${empty.cursor}&wait=0`)), empty);
    },
  );

  subscribed("wrong parameters, an unknown subscription and a cursor that is not kept are refused", async ({ get }) => {
    const wrong = "?after=x&limit=1001&wait=26&cursor=x";
    const issues = ["after: invalid_format", "limit: out_of_range", "wait: out_of_range", "cursor: unknown_field"];
    assertInvalid(await get(changes + wrong), issues);
    assertInvalid(await get(`${changes}?wait=long`), ["wait: wrong_type"]);
    assertInvalid(await get("/subscriptions/1st/changes"), ["key: invalid_format"]);
    assertRefused(await get("/subscriptions/other/changes"), 404, "definition_not_found");
    const early = Buffer.from("1").toString("base64url");
    assertRefused(await get(`${changes}?after=${early}`), 410, "changes_expired");
  });

  test("a batch whose notify is no boolean is refused", async ({ post }) => {
    const events = [{ externalId: "ada@example.com", eventKey: "step" }];
    assertInvalid(await post("/events/batch", { items: events, notify: "no" }), ["notify: wrong_type"]);
    assertInvalid(await post("/contacts/batch", { items: [], notify: null }), ["notify: not_allowed_null"]);
  });
}
