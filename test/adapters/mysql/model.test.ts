import assert from "node:assert/strict";
import fc from "fast-check";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { database, databaseSuite, hostilePool, openMysql } from "../../support/mysql.ts";
import { behaviourOperation } from "../../support/behaviour-operations.ts";
import { defineAttributes, newMemory } from "../../support/operation-parts.ts";
import { operation } from "../../support/operations.ts";

const started = await database();
const operationsMin = 50;
const anyOperation = fc.oneof({ arbitrary: operation, weight: 5 }, { arbitrary: behaviourOperation, weight: 1 });

let runs = 0;

async function assertAlike(mysql: Storage, sequences: number): Promise<void> {
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

databaseSuite({ name: "memory and mysql answer alike", atOnce: 3 }, started, (test, server) => {
  for (const how of ["on a given pool", "by a URL"]) {
    test(`for random sequences of operations, ${how}`, async () => {
      const opened = await openMysql(server);
      const storage = how === "by a URL" ? mysqlStorage(opened.url) : opened.storage;
      try {
        await assertAlike(storage, 50);
      } finally {
        await storage.close();
        await opened.dispose();
      }
    });
  }

  test("on a caller's pool with every option and session variable against us", async () => {
    const opened = await openMysql(server);
    const pool = hostilePool(opened.url);
    try {
      await assertAlike(mysqlStorage(pool), 30);
    } finally {
      await pool.end();
      await opened.dispose();
    }
  });
});
