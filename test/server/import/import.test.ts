import assert from "node:assert/strict";
import type { MemoryTransaction } from "../../../adapters/memory/index.ts";
import type { Tracker } from "../../../lib/index.ts";
import type { Scope } from "../../../lib/scope.ts";
import { TrackerError } from "../../../lib/model/errors.ts";
import { importAll, toNdjson, type Imported } from "../../support/importing.ts";
import { stoppedTracker } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const now = "2026-01-31T09:00:00.000Z";

function fresh(): { tracker: Tracker<MemoryTransaction>; scope: Scope } {
  const { tracker, storage } = stoppedTracker(now);
  return { tracker, scope: { storage, workspace: "default", now: () => Date.parse(now) } };
}

async function withAda(): Promise<{ tracker: Tracker<MemoryTransaction>; scope: Scope }> {
  const { tracker, scope } = fresh();
  await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
  return { tracker, scope };
}

/** The refused rows, as `line code`. */
function told({ refused }: Imported): string[] {
  return refused.map(({ line, code }) => `${line} ${code}`);
}

async function keysOf(tracker: Tracker, externalId = "ada"): Promise<string[]> {
  return (await tracker.events.list(externalId)).items.map(({ eventKey }) => eventKey);
}

suite("an import", (test) => {
  test("contacts are created and updated, their values read by definition", async () => {
    const { tracker, scope } = await withAda();
    for (const [key, type] of [
      ["seats", "number"],
      ["paid", "boolean"],
      ["zip", "text"],
      ["ends", "date"],
    ] as const) {
      await tracker.attributes.define({ key, type });
    }
    const csv = [
      "email,externalId,name,signedUpAt,customAttributes.seats,customAttributes.paid,customAttributes.zip,customAttributes.ends",
      "ADA@example.com,ada,Ada,1769850000,12,TRUE,0123,2026-11-30",
      "bob@example.com,,,,1e1,0,9,1769850000",
    ].join("\n");
    const { done, refused } = await importAll(scope, "contacts", csv, { name: "rows.csv" });
    assert.deepEqual([{ ...done }, refused], [{ "there before": 1, created: 1 }, []]);
    const ada = await tracker.contacts.get("ada");
    assert.deepEqual([ada?.name, ada?.signedUpAt], ["Ada", now]);
    assert.deepEqual(ada?.customAttributes, { seats: 12, paid: true, zip: "0123", ends: "2026-11-30T00:00:00.000Z" });
    const bob = await tracker.contacts.get("bob@example.com");
    assert.deepEqual(bob?.customAttributes, { seats: 10, paid: false, zip: "9", ends: now });
  });

  test("events have their times, and their declared properties the types of the event type", async () => {
    const { tracker, scope } = await withAda();
    await tracker.eventTypes.define({ key: "order", properties: { total: "number", gift: "boolean?" } });
    const csv =
      "externalId,eventKey,createdAt,properties.total,properties.gift\nada,order,2024-01-31T09:00:00Z,12.5,true\n";
    assert.deepEqual((await importAll(scope, "events", csv, { name: "rows.csv" })).done, { recorded: 1 });
    const [event] = (await tracker.events.list("ada")).items;
    assert.equal(event?.createdAt, "2024-01-31T09:00:00.000Z");
    assert.deepEqual(event?.properties, { total: 12.5, gift: true });
  });

  test("a row that is refused is listed with its line and the reason, and the others are written", async () => {
    const { tracker, scope } = await withAda();
    const content = [
      '{"externalId":"ada","eventKey":"one"}',
      '{"externalId":"eve","eventKey":"two"}',
      "",
      "nonsense",
      '{"externalId":"ada","properties":{"total":1}}',
      '{"externalId":"ada","eventKey":"three","createdAt":"yesterday"}',
    ].join("\n");
    const imported = await importAll(scope, "events", content);
    const { done, refused, reasons } = imported;
    assert.deepEqual(done, { recorded: 1 });
    assert.deepEqual(told(imported).sort(), [
      "2 contact_not_found",
      "4 malformed_row",
      "5 invalid_input",
      "6 invalid_input",
    ]);
    assert.deepEqual(reasons, {
      malformed_row: 1,
      contact_not_found: 1,
      "eventKey: required": 1,
      "createdAt: invalid_format": 1,
    });
    assert.deepEqual(
      refused.find(({ line }) => line === 5),
      {
        line: 5,
        code: "invalid_input",
        message: "eventKey: required.",
        issues: [{ path: "eventKey", code: "required", message: "Required." }],
        row: { externalId: "ada", properties: { total: 1 } },
      },
    );
    assert.deepEqual(await keysOf(tracker), ["one"]);
  });

  test("a refused row that is nested too deeply to be written is listed without its content", async () => {
    const content = `{"email":"x","deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n{"email":"a@b.c"}`;
    const { done, refused } = await importAll(fresh().scope, "contacts", content);
    assert.deepEqual([{ ...done }, refused.map(({ line, row }) => [line, row])], [{ created: 1 }, [[1, null]]]);
  });

  test("running it again records nothing twice, and lists a row that is there with other content", async () => {
    const { tracker, scope } = await withAda();
    const event = { externalId: "ada", eventKey: "step", properties: { n: 1 } };
    const rows = [{ id: "e_1", ...event }, { id: "ä", ...event }, { id: "x".repeat(300), ...event }, event, event];
    assert.deepEqual((await importAll(scope, "events", rows)).done, { recorded: 5 });
    assert.deepEqual((await importAll(scope, "events", rows)).done, { "recorded before": 5 });
    const again = await importAll(scope, "events", [{ ...rows[0], eventKey: "other" }, ...rows.slice(1)]);
    assert.deepEqual(told(again), ["1 idempotency_key_reused"]);
    assert.equal((await keysOf(tracker)).length, 5);
  });

  test("an own id tells the same event in any file, else the file's name, the row's number and its content do", async () => {
    const { scope } = await withAda();
    const event = { externalId: "ada", eventKey: "step" };
    const run = async (rows: object[], name: string) => ({
      ...(await importAll(scope, "events", rows, { name })).done,
    });
    assert.deepEqual(await run([{ id: 1, ...event }, event], "a.ndjson"), { recorded: 2 });
    assert.deepEqual(await run([{ id: "1", ...event }, event], "b.ndjson"), { "recorded before": 1, recorded: 1 });
    assert.deepEqual(await run([event, event], "a.ndjson"), { recorded: 1, "recorded before": 1 });
    assert.deepEqual(await run([event, { ...event, properties: { n: 1 } }], "a.ndjson"), {
      "recorded before": 1,
      recorded: 1,
    });
  });

  test("completions and dismissals are stored as an export has them, and others are refused with their rows", async () => {
    const { tracker, scope } = await withAda();
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "call", name: "Call" }] });
    const completion = { checklistKey: "start", itemKey: "call", completedAt: now };
    const dismissal = { checklistKey: "start", dismissedAt: now };
    const lists = [
      { completions: [completion], dismissals: [dismissal] },
      { completions: "call" },
      { completions: [{ ...completion, completedAt: "today" }] },
      { dismissals: [{ ...dismissal, dismissedAt: null }] },
      { dismissals: [{ ...dismissal, checklistKey: "gone" }] },
    ];
    const rows = lists.map((given, n) => ({ email: `c${n}@example.com`, ...given }));
    const imported = await importAll(scope, "contacts", rows);
    assert.deepEqual(
      told(imported).sort(),
      [2, 3, 4, 5].map((line) => `${line} invalid_input`),
    );
    const [start] = await tracker.checklists.progress("c0@example.com");
    assert.deepEqual([start!.progress.completed, start!.dismissedAt], [1, now]);
    assert.deepEqual((await tracker.contacts.list()).items.length, 2);
  });

  test("a dry run checks everything and writes nothing", async () => {
    const { tracker, scope } = await withAda();
    const contacts = [{ email: "bob@example.com" }, { email: "ada@example.com", externalId: "eve" }, { email: "x" }];
    const people = await importAll(scope, "contacts", contacts, { isDryRun: true });
    assert.deepEqual([people.done, told(people).sort()], [{ created: 1 }, ["2 email_taken", "3 invalid_input"]]);
    assert.equal((await tracker.contacts.list()).items.length, 1);
    await tracker.eventTypes.define({ key: "order", properties: { total: "number" } });
    const rows = Array.from({ length: 1_200 }, () => ({ externalId: "ada", eventKey: "step" }));
    const wrong = [
      { externalId: "bob", eventKey: "step" },
      { externalId: "ada", eventKey: "order" },
    ];
    const events = await importAll(scope, "events", [...rows, ...wrong], { isDryRun: true });
    assert.deepEqual(
      [events.done, told(events)],
      [{ recorded: 1_200 }, ["1201 contact_not_found", "1202 invalid_input"]],
    );
    assert.deepEqual(await keysOf(tracker), []);
  });

  test("attributes that are not defined refuse a row, but are left out of another product's export", async () => {
    const { tracker, scope } = fresh();
    await tracker.attributes.define({ key: "seats", type: "number" });
    const ours = await importAll(scope, "contacts", [{ email: "a@b.c", customAttributes: { seat: 1 } }]);
    assert.deepEqual(ours.reasons, { "customAttributes.seat: attribute_not_defined": 1 });
    const call = { type: "identify", userId: "u_1", traits: { email: "a@b.c", seats: 2, $browser: "x" } };
    const theirs = await importAll(scope, "contacts", [call, { type: "track" }], { format: "segment" });
    assert.deepEqual([theirs.done, theirs.others], [{ created: 1 }, 1]);
    assert.deepEqual(theirs.leftOut, { "customAttributes.$browser": 1 });
    assert.deepEqual((await tracker.contacts.get("u_1"))?.customAttributes, { seats: 2 });
  });

  test("an event from before what is kept is counted apart, and is no refused row", async () => {
    const { scope } = await withAda();
    const issues = [{ path: "createdAt", code: "out_of_range", message: "Too early." }] as const;
    const refuseAll = async (items: readonly object[]) =>
      items.map(() => ({ refused: { code: "invalid_input", issues } as const }));
    const event = { externalId: "ada", eventKey: "step" };
    const rows = [
      { ...event, createdAt: "2020-01-31T09:00:00Z" },
      { ...event, createdAt: "2020-01-31T09:00:00Z", eventKey: "" },
      { ...event, createdAt: "2999-01-31T09:00:00Z" },
      { ...event, createdAt: "0000-01-31T09:00:00Z" },
    ];
    const imported = await importAll(
      { ...scope, storage: { ...scope.storage, recordEvents: refuseAll } },
      "events",
      rows,
    );
    assert.deepEqual([imported.done, told(imported).length], [{ "older than what is kept": 1 }, 3]);
  });

  test("names of every kind are counted, and no more than a bounded number apart", async () => {
    const { scope } = fresh();
    const rows = Array.from({ length: 100 }, (_, n) => ({ email: `${n}@b.c`, [`column ${n}`]: 1 }));
    const content = `{"email":"a@b.c","__proto__":1,"constructor":2}\n${toNdjson(rows)}`;
    const { leftOut } = await importAll(scope, "contacts", content);
    assert.equal(Object.getOwnPropertyDescriptor(leftOut, "__proto__")?.value, 1);
    assert.deepEqual([leftOut["constructor"], leftOut["others"], Object.keys(leftOut).length], [1, 52, 51]);
  });

  test("a storage that does not answer is told of each row, and ends the run when it stays away", async () => {
    const { scope } = await withAda();
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ externalId: "ada", eventKey: `${n}` }));
    let asked = 0;
    const storage: Scope["storage"] = {
      ...scope.storage,
      async recordEvents(items) {
        const answered = await scope.storage.recordEvents(items.slice(0, Math.max(0, 10 - asked)));
        asked += items.length;
        return items.map((_, index) => answered[index] ?? { fault: new TrackerError("storage_unavailable") });
      },
    };
    const run = importAll({ ...scope, storage }, "events", rows);
    await assert.rejects(run, /^Error: The database does not answer\. Run it again to go on\.$/);
    assert.ok(asked < 4_000, `${asked} rows`);
    asked = -4_980;
    const imported = await importAll({ ...scope, storage }, "events", rows);
    assert.deepEqual([imported.done["recorded before"], imported.reasons], [10, { storage_unavailable: 10 }]);
  });
});
