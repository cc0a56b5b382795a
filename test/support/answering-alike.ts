import assert from "node:assert/strict";
import fc from "fast-check";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { Database } from "./database.ts";
import { mysqlBy } from "./mysql.ts";
import { behaviourOperation } from "./behaviour-operations.ts";
import { defineAttributes, newMemory } from "./operation-parts.ts";
import { operation } from "./operations.ts";
import { assertOwners } from "./owner-model.ts";

const operationsMin = 50;
const anyOperation = fc.oneof({ arbitrary: operation, weight: 5 }, { arbitrary: behaviourOperation, weight: 1 });

let runs = 0;

/** Random sequences of operations have the same answers in this storage as in memory. */
export async function assertAlike(mysql: Storage, sequences: number): Promise<void> {
  const property = fc.asyncProperty(
    fc.array(anyOperation, { minLength: operationsMin, maxLength: 60 }),
    async (operations) => {
      runs++;
      const memory = newMemory(`w${runs}`);
      const model = memoryStorage();
      for (const storage of [model, mysql]) await defineAttributes(memory, storage);
      for (const prepare of operations) {
        const call = prepare(memory);
        const expected = await call(model);
        assert.deepEqual(await call(mysql), expected);
      }
    },
  );
  const options = { numRuns: sequences, endOnFailure: true };
  const { failed, errorInstance, numRuns, seed } = await fc.check(property, options);
  // Without the counterexample, which is functions: the seed makes it again.
  if (failed) throw new Error(`seed: ${seed}, sequence ${numRuns}: ${String((errorInstance as Error).stack)}`);
}

/** Random sequences of operations have the same answers by a URL, or on a given pool, as in memory. */
export function answerAlike(server: Database, way: "url" | "pool" = "url"): Promise<void> {
  return mysqlBy(server)(({ open, storage }) => assertAlike(way === "url" ? open() : storage, 50));
}

/** Random writes to few names have the answers of a table, by a given pool and each URL in turn. */
export function answerAsTable(server: Database, urlsOf = (url: string): string[] => [url]): Promise<void> {
  return mysqlBy(server)(async ({ storage: onPool, url: own }) => {
    const storages = [onPool, ...urlsOf(own).map((url) => mysqlStorage(url))];
    await assertOwners(20, () => {
      const workspace = `w${++runs}`;
      return storages.map((storage) => ({
        storage,
        workspace,
        tracker: createTracker({ storage }).workspace(workspace),
      }));
    });
    for (const storage of storages) await storage.close();
  });
}
