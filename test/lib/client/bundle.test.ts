import assert from "node:assert/strict";
import { join } from "node:path";
import { build } from "esbuild";
import { suite } from "../../support/suite.ts";

suite("the client's bundle", (test) => {
  test("has at most 24 kB, minified", async () => {
    const entryPoints = [join(import.meta.dirname, "../../../lib/client/index.js")];
    const { outputFiles } = await build({ entryPoints, format: "esm", bundle: true, minify: true, write: false });
    const { length } = outputFiles[0]!.contents;
    assert.ok(length <= 24_000, `it has ${length} bytes`);
  });
});
