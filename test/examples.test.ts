import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "./support/suite.ts";

const folder = join(import.meta.dirname, "../examples");
const examples = (await readdir(folder)).filter((name) => name.endsWith(".js"));

suite("examples", (test) => {
  for (const example of examples) {
    test(`${example} runs, and what it asserts holds`, async () => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, example)], {
        timeout: 30_000,
      });
      assert.notEqual(stdout.trim(), "");
      assert.equal(stderr, "");
    });
  }
});
