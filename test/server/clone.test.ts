import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../support/importing.ts";
import { firstLineOf } from "../support/npm-start.ts";
import { suite } from "../support/suite.ts";
import { within } from "../support/within.ts";

const root = join(import.meta.dirname, "../../..");

suite("a clone with the compiler", (test) => {
  test("serves twice by npm start beside a dist that tests run from, which stays as it is", () =>
    inFolder(async (clone) => {
      for (const path of ["package.json", "tsconfig.json", "lib", "adapters", "server"])
        cpSync(join(root, path), join(clone, path), { recursive: true });
      symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
      for (const folder of ["dist", ".start-older"]) mkdirSync(join(clone, folder));
      writeFileSync(join(clone, "dist/one.test.js"), "");
      utimesSync(join(clone, ".start-older"), 0, 0);
      const lines = await within(120_000, "two npm start", Promise.all([firstLineOf(clone), firstLineOf(clone)]));
      for (const line of lines) assert.match(line, /^whodid answers at http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
      assert.deepEqual(readdirSync(join(clone, "dist")), ["one.test.js"]);
      const builds = readdirSync(clone).filter((name) => name.startsWith(".start-"));
      assert.deepEqual([builds.length, builds.includes(".start-older")], [2, false]);
    }));
});
