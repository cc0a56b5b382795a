import assert from "node:assert/strict";
import fc from "fast-check";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { eventDraft, idAt } from "../../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../../lib/index.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { Condition, PruneStep } from "../../../lib/storage/rows.ts";
import { anyCondition, behaviourOperation, withIds } from "../../support/behaviour-operations.ts";
import { database, databaseSuite, openMysql } from "../../support/mysql.ts";
import { newMemory, type Memory } from "../../support/operation-parts.ts";
import { operation } from "../../support/operations.ts";
import { proxiedBy } from "../../support/proxied.ts";

const started = await database();
const proxied = proxiedBy(started);
const whole = { limit: 1_000, after: null };

/** What behaviour is computed from, and what it answers. */
async function behaviourOf(storage: Storage, memory: Memory, conditions: readonly Condition[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const place of memory.workspaces) {
    for (const condition of conditions.map((one) => withIds(one, memory))) {
      answers.push(await storage.listMembers(place, condition, whole), await storage.countMembers(place, condition));
    }
    answers.push(await storage.listEventUsage(place, null, 1_000));
    const { items } = await createTracker({ storage }).workspace(place).contacts.list();
    for (const { externalId } of items) answers.push(await progressOf(storage, place, externalId));
  }
  return answers;
}

async function progressOf(storage: Storage, place: string, externalId: string): Promise<unknown> {
  return createTracker({ storage }).workspace(place).checklists.progress(externalId).catch(String);
}

/** Of the first thousand events of each workspace; those that are kept are the same on every storage. */
async function prune(storage: Storage, memory: Memory, before: number): Promise<PruneStep[]> {
  const steps: PruneStep[] = [];
  for (const place of memory.workspaces) {
    await storage.markPruned(place, before);
    const request = { before, recordedBefore: 2_000_000_000_000, after: null };
    steps.push(await storage.pruneEvents(place, request));
  }
  return steps;
}

databaseSuite("pruning on MySQL", started, (test, server) => {
  test("changes no answer of any rule, checklist or count, on memory and MySQL alike", async () => {
    const opened = await openMysql(server);
    let runs = 0;
    let pruned = 0;
    const property = fc.asyncProperty(
      fc.array(fc.oneof({ arbitrary: operation, weight: 3 }, behaviourOperation), { minLength: 60, maxLength: 80 }),
      fc.array(anyCondition, { minLength: 5, maxLength: 5 }),
      fc.constantFrom(1, 1_769_850_000_001),
      async (operations, conditions, before) => {
        const memory = newMemory(`p${runs++}`);
        const model = memoryStorage();
        for (const prepare of operations) {
          const call = prepare(memory);
          for (const storage of [model, opened.storage]) await call(storage);
        }
        const expected = await behaviourOf(model, memory, conditions);
        const steps = await prune(model, memory, before);
        assert.deepEqual(await prune(opened.storage, memory, before), steps);
        pruned += steps.reduce((sum, step) => sum + step.pruned, 0);
        for (const storage of [model, opened.storage]) {
          assert.deepEqual(await behaviourOf(storage, memory, conditions), expected);
        }
      },
    );
    try {
      const seed = Number(process.env["MODEL_SEED"] ?? Date.now() % 2 ** 31);
      console.log(`pruning: MODEL_SEED=${seed}`);
      await fc.assert(property, { seed, numRuns: 40, endOnFailure: true });
      assert.ok(pruned > 50, `${pruned} events were pruned`);
    } finally {
      await opened.dispose();
    }
  });

  for (const fate of ["lose answer", "lose commit"] as const) {
    test(`counts each step once, also one whose connection is cut at its COMMIT: ${fate}`, () =>
      proxied(async ({ tracker, storage, proxy }) => {
        await tracker.contacts.upsert({ email: "ada@example.com" });
        const drafts = Array.from({ length: 500 }, (_, n) =>
          eventDraft({ workspace: "default", id: idAt(1), createdAt: n, recordedAt: 1_000 }),
        );
        await storage.recordEvents(drafts);
        const told: number[] = [];
        const onProgress = (pruned: number): void => {
          told.push(pruned);
          // For the second step: the first COMMIT was that of the mark.
          if (told.length === 1) proxy.next.push(fate);
        };
        assert.deepEqual(await tracker.events.prune({ before: new Date(1_000) }, onProgress), { pruned: 500 });
        assert.deepEqual([told, proxy.next], [[200, 400, 500], []]);
      }));
  }
});
