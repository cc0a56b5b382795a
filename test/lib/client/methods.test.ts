import assert from "node:assert/strict";
import { createMethods } from "../../../lib/client/methods.ts";
import { routes } from "../../../lib/http/routes/index.ts";
import { suite } from "../../support/suite.ts";

const rule = { kind: "has_done", eventKey: "a" } as const;
const item = { key: "k", name: "K" };

// What the methods answer is held to the tracker by its own tests, which run through the client too.
suite("the client's methods", (test) => {
  test("ask every route of the API", async () => {
    const asked = new Set<string>();
    const methods = createMethods(
      async ({ method, path }) => {
        asked.add(`${method} ${path.split("?")[0]}`);
        const fields = { contact: {}, event: {}, completedChecklistItems: [] };
        const answered = { items: [{ status: 201, body: { success: true, ...fields } }], cursor: "c" };
        return { status: 201, body: answered, headers: new Headers() };
      },
      { onRetry: () => {}, maxWaitMs: 60_000, signal: undefined, closed: new AbortController().signal },
    );
    const { contacts, events, eventTypes, attributes, audiences, checklists, subscriptions, apiKeys } = methods;
    await contacts.upsert({ email: "e" });
    await contacts.put(":externalId", { email: "e" });
    await contacts.get(":externalId");
    await contacts.update(":externalId", {});
    await contacts.delete(":identifier");
    await contacts.list();
    await contacts.count();
    await contacts.upsertMany([{ email: "e" }]);
    await contacts.audiences(":externalId");
    await contacts.export(":externalId");
    await events.track({ externalId: "e", eventKey: "a" });
    await events.list(":externalId");
    await events.recent();
    await methods.activity({ from: "2026-01-31T09:00:00Z", to: new Date(), by: "day" });
    await events.trackMany([{ externalId: "e", eventKey: "a" }]);
    await eventTypes.usage();
    await eventTypes.define({ key: ":key" });
    await attributes.define({ key: ":key", type: "text" });
    await audiences.define({ key: ":key", name: "A", rule });
    await checklists.define({ key: ":key", name: "C", items: [item] });
    await subscriptions.define({ key: ":key", on: { contacts: true } });
    await subscriptions.changes(":key").next();
    await subscriptions.recent(":key");
    await subscriptions.backlog(":key");
    await subscriptions.parked(":key");
    await subscriptions.retry(":key", ":changeId");
    await subscriptions.drop(":key", ":changeId");
    await subscriptions.resume(":key", { from: "now" });
    await subscriptions.webhook(":key");
    await subscriptions.secrets(":key");
    await subscriptions.createSecret(":key");
    await subscriptions.deleteSecret(":key", ":id");
    await subscriptions.enable(":key");
    await subscriptions.sendTest(":key");
    for (const group of [eventTypes, attributes, audiences, checklists, subscriptions]) {
      await group.list();
      await group.delete(":key");
    }
    await audiences.members(":key");
    await audiences.members(rule);
    await audiences.count(":key");
    await audiences.explain(":key", ":externalId");
    await audiences.explain(rule, "e");
    await checklists.progress(":externalId");
    await checklists.counts(":key");
    await checklists.complete(":externalId", ":checklistKey", ":itemKey");
    await checklists.dismiss(":externalId", ":checklistKey");
    await checklists.restore(":externalId", ":checklistKey");
    await apiKeys.create({ name: "n" });
    await apiKeys.list();
    await apiKeys.own();
    await apiKeys.revoke(":id");
    assert.deepEqual(
      [...asked].map(decodeURIComponent).sort(),
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });
});
