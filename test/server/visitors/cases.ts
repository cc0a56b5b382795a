import assert from "node:assert/strict";
import type { Tracker } from "../../../lib/index.ts";
import { type Test, testsOn } from "../../support/suite.ts";
import { codeOf, event, type Visit } from "./door.ts";

async function keysOf(tracker: Tracker, externalId: string): Promise<string[]> {
  return (await tracker.events.list(externalId)).items.map(({ eventKey }) => eventKey);
}

/** Logs what waits. */
async function caughtUp(tracker: Tracker, key = "all"): Promise<void> {
  await tracker.subscriptions.consume(key, { until: "caught-up" }, () => {});
}

/** The answers to the items of a batch, each as its status and code. */
function itemsOf({ body }: { body: Record<string, unknown> }): string[] {
  const items = body["items"] as { status: number; body: { error?: { code: string } } }[];
  return items.map((item) => `${item.status} ${item.body.error?.code ?? "ok"}`);
}

/** The routes of visitors, on any storage. */
export function visitorCases(define: Test, visit: Visit): void {
  const test = testsOn(define, visit);
  test("a visitor sees its own progress through the listed checklists, and nothing else", async ({ ask, tracker }) => {
    await tracker.events.track({ externalId: "ada", eventKey: "step" });
    const [start] = await tracker.checklists.progress("ada");
    const { status, body } = await ask("/me/checklists");
    assert.deepEqual([status, body], [200, { success: true, items: [start] }]);
    const ofBob = (await ask("/me/checklists", { as: "bob" })).body["items"]!;
    assert.deepEqual(ofBob, (await tracker.checklists.progress("bob")).slice(0, 1));
  });

  test(
    "a visitor sees every checklist if none are listed",
    async ({ ask, tracker }) => {
      const { body } = await ask("/me/checklists");
      assert.deepEqual(body["items"], await tracker.checklists.progress("ada"));
    },
    { checklists: undefined },
  );

  test("a visitor completes an item by hand, dismisses a checklist, and restores it", async ({ ask, tracker }) => {
    for (const deed of ["items/call/complete", "dismiss", "restore"]) {
      const { status, body } = await ask(`/me/checklists/start/${deed}`, { method: "POST" });
      assert.deepEqual([status, body["checklist"]], [200, (await tracker.checklists.progress("ada"))[0]]);
    }
    const [start] = await tracker.checklists.progress("bob");
    assert.deepEqual([start!.progress.completed, start!.dismissedAt], [0, null]);
  });

  test("an item of events, an unknown item and a checklist that is not listed are refused, and change nothing", async ({
    ask,
    tracker,
  }) => {
    const before = await tracker.contacts.export("ada");
    const post = async (path: string) => codeOf(await ask(`/me/checklists/${path}`, { method: "POST" }));
    assert.equal(await post("start/items/step/complete"), "400 invalid_input");
    assert.equal(await post("start/items/gone/complete"), "404 definition_not_found");
    for (const key of ["secret", "gone", "%00", "a%2Fb", "__proto__"]) {
      for (const deed of ["items/call/complete", "dismiss", "restore"]) {
        assert.equal(await post(`${key}/${deed}`), "404 definition_not_found", key);
      }
    }
    assert.deepEqual(await tracker.contacts.export("ada"), before);
  });

  test("a visitor records listed events for its own contact, once for each key", async ({ ask, tracker }) => {
    const items = [event({ properties: { a: 1, b: "x", c: true } }), event({ eventKey: "tour" })];
    for (let n = 0; n < 2; n++) {
      const answer = await ask("/me/events", { method: "POST", body: { items } });
      const ok = { status: 201, body: { success: true } };
      assert.deepEqual([answer.status, answer.body], [200, { success: true, items: [ok, ok] }]);
    }
    const recorded = (await tracker.events.list("ada")).items;
    assert.deepEqual(recorded.map(({ eventKey }) => eventKey).sort(), ["step", "tour"]);
    assert.deepEqual(recorded.find(({ eventKey }) => eventKey === "step")?.properties, { a: 1, b: "x", c: true });
    assert.deepEqual(await keysOf(tracker, "bob"), []);
  });

  test(
    "what a visitor does is in the log of changes, but for dismissals",
    async ({ ask, tracker }) => {
      await tracker.subscriptions.define({ key: "all", on: { contacts: true, events: true, checklists: true } });
      const post = (path: string, body?: object) => ask(`/me/${path}`, { as: "eve", method: "POST", body });
      await post("events", { items: [event({ properties: { step: 1 } })] });
      for (const deed of ["items/call/complete", "dismiss", "restore"]) await post(`checklists/start/${deed}`);
      await caughtUp(tracker);
      const changes = (await tracker.subscriptions.recent("all")).toReversed();
      assert.deepEqual(
        changes.map(({ kind, contact }) => `${kind} ${contact.externalId}`),
        [
          "contact_created eve",
          "event_recorded eve",
          // Of `start` and `secret`.
          "item_completed eve",
          "item_completed eve",
          "item_completed eve",
          "checklist_completed eve",
        ],
      );
    },
    { create: () => ({ email: "eve@example.com" }) },
  );

  test("each item is answered by itself: a wrong one is refused, and the others are recorded", async ({
    ask,
    tracker,
  }) => {
    const items = [
      event(),
      event({ eventKey: "host_event" }),
      event({ externalId: "bob" }),
      event({ createdAt: "2020-01-01T00:00:00Z" }),
      event({ idempotencyKey: undefined }),
      event({ idempotencyKey: "ä" }),
      event({ properties: { nested: {} } }),
      event({ properties: { long: "x".repeat(4_096) } }),
      null,
      "step",
      event({ eventKey: "tour" }),
    ];
    assert.deepEqual(itemsOf(await ask("/me/events", { method: "POST", body: { items } })), [
      "201 ok",
      "403 forbidden",
      ...Array.from({ length: 8 }, () => "400 invalid_input"),
      "201 ok",
    ]);
    assert.deepEqual(await keysOf(tracker, "ada"), ["tour", "step"]);
    assert.deepEqual(await keysOf(tracker, "bob"), []);
  });

  test("a key of the host or of another visitor is never met", async ({ ask, tracker }) => {
    await tracker.events.track({ externalId: "ada", eventKey: "step" }, { idempotencyKey: "k" });
    const send = async (as: string, eventKey: string) =>
      itemsOf(
        await ask("/me/events", { as, method: "POST", body: { items: [event({ idempotencyKey: "k", eventKey })] } }),
      )[0];
    assert.deepEqual([await send("ada", "step"), await send("bob", "tour")], ["201 ok", "201 ok"]);
    assert.equal(await send("ada", "tour"), "422 idempotency_key_reused");
    assert.deepEqual([await keysOf(tracker, "ada"), await keysOf(tracker, "bob")], [["step", "step"], ["tour"]]);
  });

  test("a visitor without a contact is answered contact_not_found on every route", async ({ ask, tracker }) => {
    assert.equal(codeOf(await ask("/me/checklists", { as: "eve" })), "404 contact_not_found");
    for (const path of ["checklists/start/dismiss", "checklists/start/items/call/complete"]) {
      assert.equal(codeOf(await ask(`/me/${path}`, { as: "eve", method: "POST" })), "404 contact_not_found");
    }
    const events = await ask("/me/events", { as: "eve", method: "POST", body: { items: [event()] } });
    assert.equal(codeOf(events), "404 contact_not_found");
    assert.equal(await tracker.contacts.count(), 2);
  });

  for (const [path, body] of [
    ["/me/checklists", undefined],
    ["/me/checklists/start/dismiss", undefined],
    ["/me/checklists/start/items/call/complete", undefined],
    ["/me/events", { items: [event()] }],
  ] as const) {
    test(
      `create makes the contact of an unknown visitor at ${path}, once for requests at once`,
      async ({ ask, tracker }) => {
        const method = path === "/me/checklists" ? "GET" : "POST";
        const asked = Array.from({ length: 5 }, () => ask(path, { as: "eve", method, body }));
        assert.deepEqual(
          (await Promise.all(asked)).map(({ status }) => status),
          [200, 200, 200, 200, 200],
        );
        const eve = await tracker.contacts.get("eve");
        assert.deepEqual([eve?.email, eve?.name, eve?.externalId], ["eve@example.com", "Eve", "eve"]);
        assert.equal(await tracker.contacts.count(), 3);
      },
      { create: async () => ({ email: "eve@example.com", name: "Eve", externalId: "other" }) },
    );
  }

  test(
    "create never changes an existing contact, is not called for a known visitor, and its refusal is reported once",
    async ({ ask, tracker, reported }) => {
      await tracker.contacts.upsert({ email: "noone@example.com" });
      const before = (await tracker.contacts.list()).items;
      assert.equal((await ask("/me/checklists")).status, 200);
      assert.deepEqual(reported, []);
      for (let n = 0; n < 3; n++) {
        const answer = await ask("/me/checklists", { as: "eve" });
        assert.equal(codeOf(answer), "404 contact_not_found");
        assert.doesNotMatch(JSON.stringify(answer.body), /noone|conflict/);
      }
      assert.deepEqual((await tracker.contacts.list()).items, before);
      assert.deepEqual(
        reported.splice(0).map((error) => ((error as Error).cause as { code: string }).code),
        ["email_taken"],
      );
    },
    { create: () => ({ email: "noone@example.com", name: "Changed" }) },
  );

  test(
    "create is refused while a transaction has locked the contact that has the email",
    async ({ ask, tracker, reported }) => {
      await tracker.transaction(async ({ contacts }) => {
        await contacts.update("ada", { name: "Ada" });
        assert.equal(codeOf(await ask("/me/checklists", { as: "eve" })), "404 contact_not_found");
      });
      assert.equal(reported.splice(0).length, 1);
    },
    { create: () => ({ email: "ada@example.com" }) },
  );

  test(
    "create gives one email of two visitors at once to one of them",
    async ({ ask, tracker, reported }) => {
      const asked = ["eve", "fay"].map((as) => ask("/me/checklists", { as }));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      const [, , created, ...others] = (await tracker.contacts.list()).items;
      assert.deepEqual(statuses, created?.externalId === "eve" ? [200, 404] : [404, 200]);
      assert.deepEqual([others.length, reported.splice(0).length], [0, 1]);
    },
    { create: () => ({ email: "new@example.com" }) },
  );

  test(
    "another workspace has its own visitors",
    async ({ ask, tracker }) => {
      const acme = tracker.workspace("acme");
      assert.equal(codeOf(await ask("/me/checklists")), "404 contact_not_found");
      await acme.contacts.upsert({ email: "ada@acme.example", externalId: "ada" });
      await ask("/me/events", { method: "POST", body: { items: [event()] } });
      assert.equal((await acme.events.list("ada")).items.length, 1);
      assert.deepEqual(await keysOf(tracker, "ada"), []);
    },
    { workspace: "acme" },
  );
}
