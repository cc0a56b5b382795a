import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { database, databaseSuite } from "../support/mysql.ts";
import { suite } from "../support/suite.ts";

const folder = join(import.meta.dirname, "../../examples");
const server = await database();
const withoutDatabase: string[] = [];
const withDatabase: string[] = [];
for (const name of (await readdir(folder)).filter((file) => file.endsWith(".js"))) {
  const source = await readFile(join(folder, name), "utf8");
  if (source.includes("DATABASE_URL")) withDatabase.push(name);
  if (!source.includes("DATABASE_URL") || source.includes("memoryStorage")) withoutDatabase.push(name);
}

suite({ name: "examples", atOnce: 3 }, (test) => {
  for (const example of withoutDatabase) {
    test(`${example} runs, and what it asserts holds`, () => runExample(example, { DATABASE_URL: "" }));
  }
});

databaseSuite({ name: "examples on a database", atOnce: 2 }, server, (test, { createDatabase }) => {
  for (const example of withDatabase) {
    test(`${example} runs, and what it asserts holds`, async () =>
      runExample(example, { DATABASE_URL: await createDatabase() }));
  }
});

async function runExample(name: string, environment: Record<string, string>): Promise<void> {
  const env = { ...process.env, ...environment };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, name)], {
    env,
    timeout: 30_000,
  });
  assert.notEqual(stdout.trim(), "");
  assert.equal(stderr, "");
}
