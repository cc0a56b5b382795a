/** The limits of texts that are no fields of contacts or events, at their edges, in bytes of UTF-8. */
import assert from "node:assert/strict";
import type { Tracker } from "../../../lib/index.ts";
import { issuesOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

type Send = (tracker: Tracker, text: string) => Promise<unknown>;

const ada = "ada@example.com";

/** How a text of some length is sent, and its longest; `path` is where it is refused. */
const texts: { what: string; bytes: number; path: string; send: Send }[] = [
  {
    what: "an eventKey looked for",
    bytes: 100,
    path: "eventKey",
    send: (t, eventKey) => t.events.list(ada, { eventKey }),
  },
  { what: "a query for contacts", bytes: 1_000, path: "query", send: (t, query) => t.contacts.list({ query }) },
  {
    what: "the name of an attribute",
    bytes: 1_000,
    path: "name",
    send: (t, name) => t.attributes.define({ key: "note", type: "text", name }),
  },
  { what: "the name of an API key", bytes: 1_000, path: "name", send: (t, name) => t.apiKeys.create({ name }) },
];

async function trackerOfAda(): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.attributes.define({ key: "note", type: "text" });
  await tracker.contacts.upsert({ email: ada });
  return tracker;
}

interfaceSuite("limits", (test) => {
  for (const { what, bytes, path, send } of texts) {
    test(`${what} may have ${bytes} bytes and no more, however few its letters are`, async () => {
      const tracker = await trackerOfAda();
      await send(tracker, "é".repeat(bytes / 2));
      assert.deepEqual(await issuesOf(send(tracker, `${"é".repeat(bytes / 2)}a`)), [`${path} too_long`]);
    });
  }

  test("a workspace's name may have 64 characters", async () => {
    const { tracker } = stoppedTracker();
    tracker.workspace("w".repeat(64));
    assert.throws(() => tracker.workspace("w".repeat(65)), { code: "invalid_input" });
  });
});
