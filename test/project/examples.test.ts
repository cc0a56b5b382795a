import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { database, databaseSuite } from "../support/mysql.ts";
import { suite } from "../support/suite.ts";

const folder = join(import.meta.dirname, "../../examples");
const mounts = join(import.meta.dirname, "../../../examples/mounts");
const server = await database();
const withoutDatabase: string[] = [];
const withDatabase: string[] = [];
/** The programs of guides, which are folders. */
const programs = (await readdir(folder, { recursive: true })).filter((path) =>
  /^(?!mounts)[a-z-]+\/[a-z-]+\.js$/.test(path),
);
for (const name of programs) {
  const source = await readFile(join(folder, name), "utf8");
  if (source.includes("DATABASE_URL")) withDatabase.push(name);
  if (!source.includes("DATABASE_URL") || source.includes("memoryStorage")) withoutDatabase.push(name);
}

suite({ name: "examples", atOnce: 3 }, (test) => {
  for (const example of withoutDatabase) {
    test(`${example} runs, and what it asserts holds`, () => runExample(example, { DATABASE_URL: "" }));
  }
});

suite("the example of a checklist", (test) => {
  for (const [host, files] of [
    ["Express", ["visitors.ts"]],
    ["Next.js", ["next/app/me/[[...path]]/route.ts", "next/app/page.tsx"]],
  ] as const) {
    test(`takes at most five lines of the host's code in ${host}`, async () => {
      const sources = await Promise.all(files.map((file) => readFile(join(mounts, file), "utf8")));
      const lines = sources.join("\n").split("\n");
      const own = lines.filter((line) => /whodid[/.-]|visitors\(|\bhandle\b/.test(line) && !line.startsWith("//"));
      assert.equal(own.length, 5, own.join("\n"));
    });
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
    timeout: 120_000,
  });
  assert.notEqual(stdout.trim(), "");
  assert.equal(stderr, "");
}
