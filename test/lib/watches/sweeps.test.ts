import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker, type Storage } from "../../../lib/index.ts";
import { sweepUntil } from "../../../lib/watches/sweeps.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const winBack = {
  key: "win_back",
  name: "Win back",
  rule: {
    all: [
      { kind: "has_done", eventKey: "order" },
      { not: { kind: "last_done_within", eventKey: "order", period: { days: 90 } } },
    ],
  },
} as const;

suite("sweeping", (test) => {
  test("a test moves the clock and sees the mail", async () => {
    const { tracker, clock } = stoppedTracker("2026-01-01T09:00:00.000Z");
    const externalId = "ada@example.com";
    await tracker.contacts.upsert({ email: externalId });
    await tracker.audiences.define(winBack);
    await tracker.subscriptions.define({ key: "crm", on: { audiences: ["win_back"] } });
    assert.deepEqual(await tracker.subscriptions.list(), [
      { key: "crm", on: { audiences: ["win_back"] }, keepDays: 7, readyAt: null },
    ]);
    await tracker.work({ until: "caught-up" });
    assert.ok((await tracker.subscriptions.list())[0]!.readyAt);
    await tracker.events.track({ externalId, eventKey: "order" });
    const mails: string[] = [];
    const mail = async (): Promise<void> => {
      await tracker.work({ until: "caught-up" });
      await tracker.subscriptions.consume("crm", { until: "caught-up" }, (change) => {
        if (change.kind === "audience_entered") mails.push(`${change.contact.email} ${change.audienceKey}`);
        else mails.push(change.kind);
      });
    };
    clock.set("2026-04-01T08:59:59.000Z");
    await mail();
    assert.deepEqual(mails, []);
    clock.set("2026-04-01T09:00:00.001Z");
    await mail();
    await mail();
    assert.deepEqual(mails, ["ada@example.com win_back"]);
    await tracker.events.track({ externalId, eventKey: "order" });
    await mail();
    assert.deepEqual(mails, ["ada@example.com win_back", "audience_left"]);
  });

  test("sweeps follow a first pass that failed, but not one that a stop has waited for", async () => {
    for (const isStopped of [false, true]) {
      const stopping = new AbortController();
      const calls: string[] = [];
      const storage: Storage = {
        ...memoryStorage(),
        async beginWatches() {
          calls.push("first pass");
          if (isStopped) stopping.abort();
          throw new Error("no");
        },
        async listSweeps() {
          calls.push("sweeps");
          stopping.abort();
          return [];
        },
      };
      const sweeping = { storage, now: () => 0, signal: stopping.signal };
      await sweepUntil(
        sweeping,
        () => 0,
        () => {},
        async () => {},
      );
      assert.deepEqual(calls, isStopped ? ["first pass"] : ["first pass", "sweeps"]);
    }
  });

  test("a subscription to an audience that is not defined is refused, and a named audience is not deleted", async () => {
    const { tracker } = stoppedTracker();
    const on = { audiences: ["win_back"] };
    const issue = "on.audiences.0 audience_not_defined";
    assert.deepEqual(await issuesOf(tracker.subscriptions.define({ key: "crm", on })), [issue]);
    assert.deepEqual(await issuesOf(tracker.provision({ subscriptions: [{ key: "crm", on }] })), [
      `subscriptions.0.${issue}`,
    ]);
    await tracker.provision({ audiences: [winBack], subscriptions: [{ key: "crm", on }] });
    const { code, message } = await refusalOf(tracker.audiences.delete("win_back"));
    assert.equal(`${code}: ${message}`, 'definition_in_use: The audience "win_back" is used by subscriptions: "crm".');
    const listed = { subscriptions: [{ key: "crm", on }] };
    assert.equal((await refusalOf(tracker.removeUnlisted(listed))).code, "definition_in_use");
    assert.deepEqual(
      (await tracker.removeUnlisted({})).map(({ kind }) => kind),
      ["subscription", "audience"],
    );
  });

  test("announce is not stored, and does not make a list differ", async () => {
    const { tracker } = stoppedTracker();
    const audiences = [{ ...winBack, announce: true }];
    assert.deepEqual(await tracker.audiences.define(audiences[0]!), winBack);
    assert.equal((await tracker.compare({ audiences })).same, true);
  });

  for (const sweepSeconds of [59, 86_401, 60.5]) {
    test(`sweepSeconds ${sweepSeconds} is refused`, async () => {
      const tracker = createTracker({ storage: memoryStorage() });
      const work = async (): Promise<unknown> => tracker.work({ sweepSeconds });
      assert.deepEqual(await issuesOf(work()), ["sweepSeconds out_of_range"]);
      assert.deepEqual(await issuesOf(Promise.resolve().then(() => tracker.work(untyped({ sweeps: 1 })))), [
        "sweeps unknown_field",
      ]);
    });
  }

  test("work sweeps at its beginning, reports an unexpected error and goes on", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.audiences.define(winBack);
    await tracker.subscriptions.define({ key: "crm", on: { audiences: ["win_back"] } });
    const errors: unknown[] = [];
    const stopping = new AbortController();
    const { signal } = stopping;
    const calls = { sweeps: 0 };
    const failing = {
      ...storage,
      async sweep(...given: Parameters<typeof storage.sweep>) {
        if (++calls.sweeps === 1) throw new Error("broken");
        stopping.abort();
        return storage.sweep(...given);
      },
    };
    await sweepUntil(
      { storage: failing, now: Date.now, signal },
      () => 0,
      (error) => void errors.push((error as Error).message),
      async () => {},
    );
    assert.deepEqual([errors, calls.sweeps], [["broken"], 2]);
  });

  test("a sweep that was claimed by another process is left to it", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.audiences.define(winBack);
    await tracker.subscriptions.define({ key: "crm", on: { audiences: ["win_back"] } });
    await tracker.work({ until: "caught-up" });
    const stopping = new AbortController();
    let sweeps = 0;
    const counting = {
      ...storage,
      async sweep() {
        sweeps++;
        return false;
      },
    };
    const ended = sweepUntil(
      { storage: counting, now: Date.now, signal: stopping.signal },
      () => 600_000,
      (error) => assert.fail(String(error)),
      () => sleep(1),
    );
    await sleep(50);
    stopping.abort();
    await ended;
    assert.equal(sweeps, 0);
  });
});
