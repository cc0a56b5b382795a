import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, TrackerError } from "../../lib/index.ts";
import { issuesOf, refusalOf } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

suite("workspaces", (test) => {
  test("a deletion gives a receipt, and its keys are not valid any more", async () => {
    const tracker = createTracker({ storage: memoryStorage(), now: () => new Date("2026-01-31T09:00:00Z") });
    const { contacts, events, attributes, apiKeys } = tracker.workspace("acme");
    await attributes.define({ key: "seats", type: "number" });
    await contacts.upsert({ email: "ada@example.com" });
    await events.track({ externalId: "ada@example.com", eventKey: "step" });
    const { key } = await apiKeys.create({ name: "backend" });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.deepEqual(await tracker.workspaces.list(), [
      { name: "acme", deletedAt: null },
      { name: "default", deletedAt: null },
    ]);
    assert.deepEqual(await tracker.workspaces.delete("acme"), {
      workspace: "acme",
      contacts: 1,
      events: 1,
      definitions: 1,
      apiKeys: 1,
    });
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await tracker.handle(new Request("http://localhost/api/v1/contacts", { headers }));
    assert.equal(status, 401);
    assert.deepEqual(await tracker.workspaces.list(), [{ name: "default", deletedAt: null }]);
    assert.equal(await tracker.contacts.count(), 1);
  });

  test("the default workspace and a name that is none are refused", async () => {
    const { workspaces } = createTracker({ storage: memoryStorage() });
    assert.deepEqual(await issuesOf(workspaces.delete("default")), ["name out_of_range"]);
    assert.deepEqual(await issuesOf(workspaces.delete("A")), ["name invalid_format"]);
  });

  test("an interrupted deletion refuses writes until it is called again", async () => {
    const storage = memoryStorage();
    const removeRows = (): Promise<never> => Promise.reject(new TrackerError("storage_unavailable"));
    const now = (): Date => new Date("2026-01-31T09:00:00Z");
    const interrupted = createTracker({ storage: { ...storage, removeRows }, now });
    const tracker = createTracker({ storage, now });
    const { contacts } = tracker.workspace("acme");
    await contacts.upsert({ email: "ada@example.com" });
    assert.equal((await refusalOf(interrupted.workspaces.delete("acme"))).code, "storage_unavailable");
    assert.equal((await refusalOf(contacts.upsert({ email: "ada@example.com" }))).code, "workspace_deleted");
    assert.deepEqual(await tracker.workspaces.list(), [{ name: "acme", deletedAt: "2026-01-31T09:00:00.000Z" }]);
    assert.equal((await tracker.workspaces.delete("acme")).contacts, 1);
    assert.equal((await contacts.upsert({ email: "ada@example.com" })).created, true);
  });

  test("a deletion removes its last rows only after the time in which others may not know the mark", async () => {
    const storage = memoryStorage();
    const steps: unknown[] = [];
    const slow: typeof storage = {
      ...storage,
      markDeleted: async (workspace, at) => {
        setTimeout(() => steps.push("nearly 100 ms"), 95);
        return { ...(await storage.markDeleted(workspace, at)), settleMs: 100 };
      },
      removeRows: (workspace, request) => {
        steps.push(request.settled);
        return storage.removeRows(workspace, request);
      },
    };
    const tracker = createTracker({ storage: slow });
    await tracker.workspaces.delete("acme");
    assert.equal(steps[0], false);
    assert.deepEqual(
      steps.filter((step) => step !== false),
      ["nearly 100 ms", true],
    );
  });
});
