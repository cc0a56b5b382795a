/** The tests of writes that change what the rules of watched audiences count. */
import assert from "node:assert/strict";
import { idTimeMaxMs } from "../../../lib/model/limits.ts";
import type { CountRule } from "../../../lib/model/types.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, update } from "../calls.ts";
import { at, checklistDraft, eventDraft, workspace, dayMs } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { emailOf, noticed, step, sweepAll, watchMembers } from "../watching.ts";

/** At least two steps of more than 100 within three days. */
const twoLarge = {
  kind: "count_greater_than",
  eventKey: "step",
  count: 1,
  period: { days: 3 },
  where: [{ property: "total", operator: "greater_than", value: 100 }],
} as const satisfies CountRule;

/** Records events of ada in one call, each with its total, and so many days old. */
async function stepOf(storage: Storage, ...steps: [total: number, days: number][]): Promise<void> {
  await storage.recordEvents(
    steps.map(([total, days]) =>
      eventDraft({ properties: JSON.stringify({ total }), createdAt: at - days * dayMs, recordedAt: at }),
    ),
  );
}

async function prune(storage: Storage, before: number): Promise<void> {
  await storage.markPruned(workspace, before);
  await storage.pruneEvents(workspace, { before, recordedBefore: idTimeMaxMs, after: null });
}

export function watchedCounts(test: StorageTest): void {
  test("an event lets a contact enter that counts it with stored events of the period", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada"], rule: twoLarge });
    await stepOf(storage, [101, 2]);
    for (const counted of [100, 0]) await stepOf(storage, [counted, 1]);
    await stepOf(storage, [200, 4]);
    assert.deepEqual(await noticed(storage), []);
    await stepOf(storage, [101, 0]);
    await stepOf(storage, [300, 0]);
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
    await sweepAll(storage, at + 3 * dayMs + 1);
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_left ada"]);
  });

  test("the events of one call are counted one after another", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada"], rule: { all: [twoLarge, { not: { ...twoLarge, count: 2 } }] } });
    await stepOf(storage, [101, 0], [1, 0], [102, 1]);
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
    await stepOf(storage, [1, 0], [103, 1], [104, 2]);
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_left ada"]);
  });

  test("an event inside a transaction is counted with those before it", async ({ storage, begin }) => {
    await watchMembers(storage, { names: ["ada"], rule: twoLarge });
    const { inside, commit } = await begin();
    await stepOf(inside, [101, 1]);
    await stepOf(inside, [102, 0]);
    await commit();
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
  });

  test("a field that lets a contact enter is evaluated with the events of the period", async ({ storage }) => {
    await watchMembers(storage, {
      names: ["ada", "bob"],
      rule: { all: [twoLarge, { kind: "field", field: "plan", operator: "equals", value: "pro" }] },
    });
    await stepOf(storage, [101, 1], [102, 2]);
    for (const name of ["ada", "bob"])
      accepted(await update(storage, { externalId: emailOf(name).email, fields: { plan: "pro" } }));
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
  });

  test("pruned events are not counted, and a sweep finds the contacts that they let leave", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada"], rule: twoLarge });
    await stepOf(storage, [101, 2]);
    await prune(storage, at - dayMs);
    await stepOf(storage, [101, 1]);
    assert.deepEqual(await noticed(storage), []);
    await stepOf(storage, [101, 0]);
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
    await prune(storage, at);
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_left ada"]);
  });

  test("an event that completes an item by any of its rules lets a contact enter", async ({ storage }) => {
    const any = [
      { kind: "has_done", eventKey: "open" },
      { kind: "count_greater_than", eventKey: "step", count: 1 },
    ] as const;
    accepted(await storage.putDefinition(checklistDraft({ items: [{ key: "any", name: "Any", when: { any } }] })));
    await watchMembers(storage, {
      names: ["ada", "bob"],
      rule: { kind: "checklist_completed", checklistKey: "start" },
    });
    await step(storage, "ada");
    await storage.recordEvents([eventDraft({ contact: emailOf("bob"), eventKey: "open" })]);
    await step(storage, "ada");
    assert.deepEqual(await noticed(storage), ["audience_entered bob", "audience_entered ada"]);
  });
}
