import assert from "node:assert/strict";
import { subscribed } from "../../support/consuming.ts";
import { issuesOf, refusalOf } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const none = { changes: 0, more: false, oldestAgeSeconds: 0, parked: 0 };

interfaceSuite("a backlog", (test) => {
  test("it is null until a consumer has taken a change, also if it has run", async () => {
    const { subscriptions, contacts } = (await subscribed()).tracker;
    await subscriptions.consume("all", { until: "caught-up" }, () => {});
    await contacts.upsert({ email: "ada@example.com" });
    assert.equal(await subscriptions.backlog("all"), null);
    await subscriptions.consume("all", { until: "caught-up" }, () => {});
    assert.deepEqual(await subscriptions.backlog("all"), none);
  });

  test("it has the changes that are left, with the age of the oldest in seconds, and the parked contacts", async () => {
    const { tracker, storage } = await subscribed();
    const { subscriptions, contacts } = tracker;
    await contacts.upsert({ email: "ada@example.com" });
    const fail = { until: "caught-up", tries: 1 } as const;
    await subscriptions.consume("all", fail, () => Promise.reject(new Error("no")));
    assert.deepEqual(await subscriptions.backlog("all"), { ...none, parked: 1 });
    await contacts.upsert({ email: "bob@example.com" });
    const row = await storage.readBacklog("default", "all");
    assert.ok(row && !("refused" in row));
    const { oldestAgeSeconds, ...counts } = (await subscriptions.backlog("all"))!;
    assert.deepEqual(counts, { changes: 1, more: false, parked: 1 });
    assert.ok(oldestAgeSeconds >= row.oldestAgeMs / 1_000 && oldestAgeSeconds < 3_600);
  });

  test("it is refused for an unknown key, and for one that is no key", async () => {
    const { backlog } = (await subscribed()).tracker.subscriptions;
    assert.equal((await refusalOf(backlog("other"))).code, "definition_not_found");
    assert.deepEqual(await issuesOf(backlog("1st")), ["key invalid_format"]);
  });
});
