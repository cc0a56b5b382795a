import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { references } from "../reference/references.ts";
import { settingRows } from "../reference/server.ts";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");

suite("the references", (test) => {
  for (const [path, text] of Object.entries(references())) {
    test(`${path} is as the code makes it: else run \`npm run long -- reference\``, () => {
      assert.equal(readFileSync(join(root, path), "utf8"), text);
    });

    test(`${path} has no empty table`, () => {
      assert.doesNotMatch(text, /\| --- \|\n(?!\|)/);
    });
  }

  test("the reference of the server has every setting that it reads", () => {
    const text = readFileSync(join(root, "server/settings.ts"), "utf8");
    const read = new Set(
      Array.from(text.matchAll(/(?:get|list|read\w*)\((?:environment, )?"([A-Z_]+)"/g), ([, name]) => `\`${name}\``),
    );
    assert.ok(read.size > 15);
    assert.deepEqual(new Set(settingRows().map(([name]) => name)), read);
  });

  test("the reference of the library has every method of a tracker's groups", () => {
    const { "lib/REFERENCE.md": page = "" } = references();
    const files = ["methods/index", "in-transaction", "consumers/methods", "webhooks/methods", "tracker", "health"];
    const text = files.map((name) => readFileSync(join(root, `lib/${name}.ts`), "utf8")).join("");
    const declared = Array.from(text.matchAll(/\*\/\n +(\w+)[<(]/g), ([, method]) => method!);
    assert.ok(declared.length > 50);
    assert.deepEqual(
      declared.filter((name) => !page.includes(`| \`${name}(`)),
      [],
    );
  });
});
