/** What an editor shows of the public names: the docstrings of the published declarations. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const { exports: entries } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, string>;
};

/** The public names that the declarations say nothing of, as `file: name`. */
function silentNames(file: string, wanted?: Set<string>): string[] {
  const text = readFileSync(file, "utf8");
  const declared = text.matchAll(
    /(\*\/\n)?^export (?:declare )?(?:abstract )?(?:interface|type|class|function|const) (\w+)/gm,
  );
  const silent = Array.from(declared, ([, documented, name]) => ({ documented, name: name! }))
    .filter(({ documented, name }) => !documented && (!wanted || wanted.has(name)))
    .map(({ name }) => `${file.slice(root.length + 1)}: ${name}`);
  const passedOn = text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm);
  return Array.from(passedOn).reduce((all, [, names, path]) => {
    const target = join(file, "..", path!.replace(/\.[jt]s$/, ".d.ts"));
    assert.ok(existsSync(target), target);
    return [...all, ...silentNames(target, new Set(names!.split(",").map((name) => name.replace("type ", "").trim())))];
  }, silent);
}

/** The methods that the declarations say nothing of, as `file: name`. */
function silentMethods(path: string): string[] {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const [, name] = /^ +(\w+)[(<]/.exec(line) ?? [];
    return name && !lines[index - 1]!.trim().endsWith("*/") ? [`${path}: ${name}`] : [];
  });
}

suite("hovering", (test) => {
  for (const [entry, path] of Object.entries(entries)) {
    test(`every name of ${entry.replace(".", "whodid")} tells what it is`, () => {
      assert.deepEqual(silentNames(join(root, path.replace(/\.js$/, ".d.ts"))), []);
    });
  }

  test("every method of a tracker and of a storage tells what it does", () => {
    const files = [
      "tracker",
      "methods/index",
      "in-transaction",
      "consumers/methods",
      "storage/port",
      "storage/contacts",
      "storage/events",
      "storage/definitions",
      "storage/audiences",
      "storage/checklists",
      "storage/watches",
      "storage/changes",
      "storage/consumers",
      "storage/api-keys",
      "storage/workspaces",
    ].map((name) => `dist/lib/${name}.d.ts`);
    assert.deepEqual(files.flatMap(silentMethods), []);
    assert.match(readFileSync(join(root, "dist/lib/in-transaction.d.ts"), "utf8"), /^ +upsert\(/m);
  });
});
