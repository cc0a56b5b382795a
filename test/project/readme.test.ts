import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { errorCodes, issueMessages } from "../../lib/errors.ts";
import { routes } from "../../lib/http/routes.ts";
import { metCodes, statusOf } from "../../lib/http/statuses.ts";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const readme = await readFile(join(root, "README.md"), "utf8");
const programs = [...readme.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code!);

suite("README", (test) => {
  for (const [index, code] of programs.entries()) {
    test(`program ${index + 1} runs`, async () => {
      const folder = join(root, "dist/readme");
      const file = join(folder, `${index}.mjs`);
      await mkdir(folder, { recursive: true });
      await writeFile(file, code);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { timeout: 30_000 });
      await rm(file);
      assert.equal(stderr, "");
      const [, printed = ""] = /console\.log\(.*\/\/ (.*)/.exec(code) ?? [];
      assert.equal(stdout.trim(), printed);
    });
  }

  test("has at least the example and the mounting", () => {
    assert.ok(programs.length >= 2);
  });

  test("its recipes stand in the examples that a test runs", async () => {
    const [, recipes = ""] = /^## Recipes\n([\s\S]*?)^## /m.exec(readme) ?? [];
    const found = [...recipes.matchAll(/\((examples\/[^)]+)\)[^`(]*```ts\n([\s\S]*?)```/g)];
    assert.deepEqual(
      found.map(([, file]) => file),
      ["examples/06-retry.ts", "examples/mounts/supertest.ts"],
    );
    for (const [, file, code] of found) {
      assert.ok(unindented(await readFile(join(root, file!), "utf8")).includes(unindented(code!)), file);
    }
  });

  test("its table of routes is the table of routes", () => {
    const listed = [...readme.matchAll(/^\| `((?:GET|POST|PATCH|DELETE) [^`]+)` +\|/gm)].map(([, route]) => route);
    assert.deepEqual(
      listed,
      routes.map(({ method, path }) => `${method} ${path}`),
    );
  });

  test("its table of errors has every code that a request can meet, with its status", () => {
    const listed = [...readme.matchAll(/^\| (\d{3}) +\| `(\w+)` +\|/gm)].map(([, status, code]) => `${status} ${code}`);
    assert.deepEqual(listed.sort(), metCodes.map((code) => `${statusOf(code)} ${code}`).sort());
  });

  test("names the codes of in-process callers, with the status that each has", () => {
    const [, named = ""] = /^In process only, with what `statusOf` says of them: ([^.]*)\.$/m.exec(readme) ?? [];
    const others = errorCodes.filter((code) => !metCodes.includes(code));
    const expected = others.map((code) => `\`${code}\` ${statusOf(code)}`).join(", ");
    assert.equal(named.replaceAll("\n", " "), expected);
  });

  test("names the codes of issues", () => {
    const [, named = ""] = /^Issue codes: ([^.]*)\./m.exec(readme) ?? [];
    assert.deepEqual(
      Array.from(named.matchAll(/`(\w+)`/g), ([, code]) => code),
      Object.keys(issueMessages),
    );
  });
});

function unindented(code: string): string {
  return code.replaceAll(/^ +/gm, "");
}
