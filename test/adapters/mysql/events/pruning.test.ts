import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { nextSize } from "../../../../adapters/mysql/events/pruning.ts";
import { memoryStorage } from "../../../../adapters/memory/index.ts";
import { eventDraft, idAt, rowsUpTo } from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../../../lib/index.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import type { Condition, Position, PruneStep } from "../../../../lib/storage/rows.ts";
import {
  anyCondition,
  anyLastingCondition,
  behaviourOperation,
  withIds,
} from "../../../support/behaviour-operations.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { defineAttributes, newMemory, type Memory } from "../../../support/operation-parts.ts";
import { operation } from "../../../support/operations.ts";
import { proxiedBy, type Proxied } from "../../../support/proxied.ts";
import { suite, testsOn } from "../../../support/suite.ts";

const started = await database();
const proxied = proxiedBy(started);
const whole = { ...rowsUpTo(1_000), after: null };

/** What behaviour is computed from, and what it answers. */
async function behaviourOf(storage: Storage, memory: Memory, conditions: readonly Condition[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [at, name] of memory.workspaces.entries()) {
    for (const condition of conditions.map((one) => withIds(one, memory, at))) {
      answers.push(
        (await storage.listMembers(name, condition, whole)).rows,
        await storage.countMembers(name, condition),
      );
    }
    answers.push((await storage.listEventUsage(name, null, rowsUpTo(1_000))).rows);
    const { items } = await createTracker({ storage }).workspace(name).contacts.list();
    for (const { externalId } of items) answers.push(await progressOf(storage, name, externalId));
  }
  return answers;
}

async function progressOf(storage: Storage, name: string, externalId: string): Promise<unknown> {
  return createTracker({ storage }).workspace(name).checklists.progress(externalId).catch(String);
}

/** How many events each workspace loses; those that are kept are the same on every storage. */
async function prune(storage: Storage, memory: Memory, before: number): Promise<number[]> {
  const counts: number[] = [];
  for (const name of memory.workspaces) {
    await storage.markPruned(name, before);
    let count = 0;
    let after: Position | null = null;
    do {
      const step: PruneStep = await storage.pruneEvents(name, { before, recordedBefore: 2_000_000_000_000, after });
      count += step.pruned;
      after = step.next;
    } while (after !== null);
    counts.push(count);
  }
  return counts;
}

/** 500 events of one contact. */
async function recordPast({ tracker, storage }: Pick<Proxied, "tracker" | "storage">): Promise<void> {
  await tracker.contacts.upsert({ email: "ada@example.com" });
  const drafts = Array.from({ length: 500 }, (_, n) =>
    eventDraft({ workspace: "default", id: idAt(1), createdAt: n, recordedAt: 1_000 }),
  );
  await storage.recordEvents(drafts);
}

suite("the size of a step of pruning", (test) => {
  test("doubles while steps are quick, and is halved by a slow one, between two bounds", () => {
    const sizes = [
      [25, 10],
      [200, 10],
      [100, 100],
      [200, 500],
      [5, 5_000],
    ].map(([size, ms]) => nextSize(size!, ms!));
    assert.deepEqual(sizes, [50, 200, 100, 100, 5]);
  });
});

databaseSuite("pruning on MySQL", started, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("changes no answer of a rule without a period, a checklist or a count, on memory and MySQL alike", async (opened) => {
    let runs = 0;
    let pruned = 0;
    const property = fc.asyncProperty(
      fc.array(fc.oneof({ arbitrary: operation, weight: 3 }, behaviourOperation), { minLength: 60, maxLength: 80 }),
      fc.array(anyLastingCondition, { minLength: 5, maxLength: 5 }),
      fc.array(anyCondition, { minLength: 3, maxLength: 3 }),
      fc.constantFrom(1, 1_769_850_000_001),
      async (operations, conditions, others, before) => {
        const memory = newMemory(`p${runs++}`);
        const model = memoryStorage();
        for (const storage of [model, opened.storage]) await defineAttributes(memory, storage);
        for (const prepare of operations) {
          const call = prepare(memory);
          for (const storage of [model, opened.storage]) await call(storage);
        }
        const expected = await behaviourOf(model, memory, conditions);
        const counts = await prune(model, memory, before);
        assert.deepEqual(await prune(opened.storage, memory, before), counts);
        pruned += counts.reduce((sum, count) => sum + count, 0);
        for (const storage of [model, opened.storage]) {
          assert.deepEqual(await behaviourOf(storage, memory, conditions), expected);
        }
        const after = await behaviourOf(model, memory, others);
        assert.deepEqual(await behaviourOf(opened.storage, memory, others), after);
      },
    );
    await fc.assert(property, { numRuns: 40, endOnFailure: true });
    // Few may be by chance. Runs that prune none would show nothing.
    assert.ok(pruned > 10, `${pruned} events were pruned`);
  });

  for (const fate of ["lose answer", "lose commit"] as const) {
    define(`counts each step once, also one whose connection is cut at its COMMIT: ${fate}`, () =>
      proxied(async ({ tracker, storage, proxy }) => {
        await recordPast({ tracker, storage });
        const told: number[] = [];
        const onProgress = (pruned: number): void => {
          told.push(pruned);
          // For the second step: the first COMMIT was that of the mark.
          if (told.length === 1) proxy.next.push(fate);
        };
        assert.deepEqual(await tracker.events.prune({ before: new Date(1_000) }, onProgress), {
          pruned: 500,
          recent: 0,
        });
        assert.deepEqual([told.at(-1), proxy.next], [500, []]);
        assert.ok(told.length > 2 && told.every((count, index) => count > (told[index - 1] ?? 0)), told.join(", "));
      }),
    );
  }

  define("goes on by smaller steps where the database is slow", () =>
    proxied(async ({ tracker, storage, through, proxy }) => {
      await recordPast({ tracker, storage });
      const step = (): Promise<PruneStep> =>
        through.pruneEvents("default", { before: 1_000, recordedBefore: 2_000_000_000_000, after: null });
      proxy.freeze();
      const first = step();
      await sleep(300);
      proxy.thaw();
      const [{ pruned }, second] = [await first, await step()];
      assert.equal(second.pruned, Math.floor(pruned / 2));
    }),
  );
});
