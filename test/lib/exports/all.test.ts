import assert from "node:assert/strict";
import { eventDraft } from "../../../adapters/storage-contract/drafts.ts";
import { exportContacts, exportEvents, type ExportRequest } from "../../../lib/exports/all.ts";
import type { Scope } from "../../../lib/scope.ts";
import { refusalOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const everything: ExportRequest = { since: null, audience: null };

async function all<Item>(pages: AsyncIterable<Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

async function emailsOf(scope: Scope, request: ExportRequest): Promise<string[]> {
  return (await all(exportContacts(scope, request))).map(({ email }) => email);
}

/** Ada at nine, with an own externalId and events of two hours; Bob at ten, without. */
async function withTwo(): Promise<{ scope: Scope }> {
  const { tracker, storage, clock } = stoppedTracker();
  const scope = { storage, workspace: "default", now: () => Date.parse("2026-01-31T11:00:00.000Z") };
  await tracker.attributes.define({ key: "seats", type: "number" });
  await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "call", name: "Call" }] });
  const done = { kind: "has_done", eventKey: "late" } as const;
  await tracker.audiences.define({ key: "late", name: "Late", rule: done });
  await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada", customAttributes: { seats: 2 } });
  await tracker.checklists.complete("ada", "start", "call");
  await tracker.checklists.dismiss("ada", "start");
  await tracker.events.track({ externalId: "ada", eventKey: "step", properties: { n: 1 } });
  clock.set("2026-01-31T10:00:00.000Z");
  await tracker.contacts.upsert({ email: "bob@example.com" });
  await tracker.events.track({ externalId: "bob@example.com", eventKey: "late" });
  await tracker.events.track({ externalId: "ada", eventKey: "step", createdAt: "2025-01-01T00:00:00.000Z" });
  await tracker.workspace("other").contacts.upsert({ email: "eve@example.com" });
  return { scope };
}

suite("exports", (test) => {
  test("a contact's row says whether its externalId is its own, and what it completed by hand and dismissed", async () => {
    const { scope } = await withTwo();
    const rows = await all(exportContacts(scope, everything));
    assert.deepEqual(
      rows.map(({ email, externalId, customAttributes, completions, dismissals }) => ({
        email,
        externalId,
        customAttributes,
        completions,
        dismissals,
      })),
      [
        {
          email: "ada@example.com",
          externalId: "ada",
          customAttributes: { seats: 2 },
          completions: [{ checklistKey: "start", itemKey: "call", completedAt: "2026-01-31T09:00:00.000Z" }],
          dismissals: [{ checklistKey: "start", dismissedAt: "2026-01-31T09:00:00.000Z" }],
        },
        { email: "bob@example.com", externalId: null, customAttributes: {}, completions: [], dismissals: [] },
      ],
    );
  });

  test("an event's row has the externalId that its contact shows, and rows come in order of recording", async () => {
    const { scope } = await withTwo();
    const rows = await all(exportEvents(scope, everything));
    assert.deepEqual(
      rows.map(({ externalId, eventKey, createdAt, properties }) => [externalId, eventKey, createdAt, properties]),
      [
        ["ada", "step", "2026-01-31T09:00:00.000Z", { n: 1 }],
        ["bob@example.com", "late", "2026-01-31T10:00:00.000Z", {}],
        ["ada", "step", "2025-01-01T00:00:00.000Z", {}],
      ],
    );
  });

  test("since leaves out contacts that were created before", async () => {
    const { scope } = await withTwo();
    const since = Date.parse("2026-01-31T10:00:00.000Z");
    assert.deepEqual(await emailsOf(scope, { ...everything, since }), ["bob@example.com"]);
    assert.deepEqual(await emailsOf(scope, { audience: "late", since: since + 1 }), []);
  });

  test("since leaves out events that were recorded before, whenever they happened", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const since = 0x0199_aabb_ccdd;
    // The ids of this process begin with the time of its clock.
    const ids = ["0199aabb-ccdc-7fff-bfff-ffffffffffff", "0199aabb-ccdd-7000-8000-000000000000"];
    await storage.recordEvents(
      ids.map((id, n) => eventDraft({ id, workspace: "default", eventKey: `${n}`, createdAt: since - n * 2 })),
    );
    const scope = { storage, workspace: "default", now: () => Date.now() };
    const keysSince = async (from: number): Promise<string[]> =>
      (await all(exportEvents(scope, { ...everything, since: from }))).map(({ eventKey }) => eventKey);
    assert.deepEqual(await keysSince(-1), ["0", "1"]);
    assert.deepEqual(await keysSince(since), ["1"]);
    assert.deepEqual(await keysSince(since + 1), []);
  });

  test("an audience leaves out who is no member", async () => {
    const { scope } = await withTwo();
    const request = { ...everything, audience: "late" };
    assert.deepEqual(await emailsOf(scope, request), ["bob@example.com"]);
    assert.deepEqual(
      (await all(exportEvents(scope, request))).map(({ eventKey }) => eventKey),
      ["late"],
    );
    const unknown = all(exportEvents(scope, { ...everything, audience: "nobody" }));
    assert.equal((await refusalOf(unknown)).code, "definition_not_found");
  });

  test("more than a page of contacts, members and events is exported once each", async () => {
    const { tracker, storage } = stoppedTracker();
    const scope = { storage, workspace: "default", now: () => Date.now() };
    await tracker.audiences.define({ key: "all", name: "All", rule: { kind: "has_done", eventKey: "step" } });
    for (let n = 0; n < 2_000; n++) {
      const { contact } = await tracker.contacts.upsert({ email: `${n}@example.com` });
      await tracker.events.track({ externalId: contact.externalId, eventKey: "step" });
    }
    for (const audience of [null, "all"]) {
      const emails = await emailsOf(scope, { since: null, audience });
      assert.deepEqual([emails.length, new Set(emails).size], [2_000, 2_000]);
      const ids = (await all(exportEvents(scope, { since: null, audience }))).map(({ id }) => id);
      assert.deepEqual([ids.length, new Set(ids).size], [2_000, 2_000]);
    }
  });
});
