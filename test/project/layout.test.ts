/** Greps the sources for strays: what imports what, and what stands where. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");

/** Paths from the root, with forward slashes. */
function filesIn(...folders: string[]): string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        posix.join(folder, name.replaceAll(sep, "/")),
      ),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("/node_modules/"));
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The source without its comments. */
function codeOf(path: string): string {
  return read(path)
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/(^|\s)\/\/.*$/gm, "$1");
}

/** What the file imports: paths from the root, or the names of packages. */
function importsOf(path: string): string[] {
  const specifiers = codeOf(path).matchAll(/(?:^import|^(?:import|export)\b[^;"]*\bfrom|\bimport\()\s*"([^"]+)"/gm);
  return Array.from(specifiers, ([, specifier]) => specifier!).map((specifier) =>
    specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier,
  );
}

/** Each import that `isAllowed` does not let pass, as `file -> import`. */
function strayImports(files: string[], isAllowed: (imported: string, file: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap((imported) => (isAllowed(imported, file) ? [] : `${file} -> ${imported}`)),
  );
}

/** Each line of code that matches, as `file: line`. */
function strayLines(files: string[], pattern: RegExp, toText = codeOf): string[] {
  return files.flatMap((file) =>
    toText(file)
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

const lib = filesIn("lib");
const everything = filesIn("lib", "adapters", "server", "examples", "test");
const ofDomain = lib.filter((path) => !path.startsWith("lib/http/"));

/** What each layer may import beside itself: folders end in a slash. */
const model = "lib/model/";
const rows = "lib/storage/rows.ts";
const changeRows = "lib/storage/changes.ts";
const watchRows = "lib/storage/watches.ts";
const statuses = "lib/http/statuses.ts";
const table = ["lib/http/routes/table.ts", "lib/http/routes/lines.ts"];
const ofStorages = [model, "lib/storage/", "lib/decisions/"];
const layers: Readonly<Record<string, readonly string[]>> = {
  "lib/model/": [],
  "lib/bulk/": [model],
  "lib/storage/": [model],
  "lib/decisions/": [model, rows, changeRows, watchRows],
  "lib/input/": [model, rows],
  "lib/client/": [model, "lib/bulk/", ...table, "lib/methods/index.ts"],
  "lib/http/": ["lib/"],
  "adapters/memory/": ofStorages,
  "adapters/mysql/": ofStorages,
  "adapters/storage-contract/": ofStorages,
  "server/": ["lib/", "adapters/"],
};

function isWithin(path: string, allowedPath: string): boolean {
  return allowedPath.endsWith("/") ? path.startsWith(allowedPath) : path === allowedPath;
}

/** The files of each circle of imports that there is, type-only imports included. */
function circlesIn(files: readonly string[]): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) return void circles.push([...way.slice(way.indexOf(file)), file]);
    if (done.has(file)) return;
    for (const imported of importsOf(file)) if (files.includes(imported)) visit(imported, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return circles;
}

suite("layout", (test) => {
  test("the sources are found", () => {
    assert.ok(lib.includes(statuses));
    assert.ok(importsOf("lib/tracker.ts").includes("lib/http/fetch-handler.ts"));
    assert.ok(importsOf("lib/input/shapes.ts").includes("superstruct"));
  });

  test("lib imports itself, its two packages and Node, and neither adapters nor server", () => {
    const packages = ["superstruct", "itty-router"];
    const isAllowed = (imported: string): boolean =>
      imported.startsWith("lib/") || imported.startsWith("node:") || packages.includes(imported);
    assert.deepEqual(strayImports(lib, isAllowed), []);
  });

  test("inside lib only the tracker, the face and http itself import http, and the client its table of routes", () => {
    const others = ofDomain.filter((path) => !["lib/tracker.ts", "lib/index.ts"].includes(path));
    const isAllowed = (imported: string, file: string): boolean =>
      !imported.startsWith("lib/http/") || (table.includes(imported) && file.startsWith("lib/client/"));
    assert.deepEqual(strayImports(others, isAllowed), []);
  });

  test("inside lib only index.ts imports tracker.ts, and nothing index.ts", () => {
    const isAllowed = (imported: string, file: string): boolean =>
      imported !== "lib/index.ts" && (imported !== "lib/tracker.ts" || file === "lib/index.ts");
    assert.deepEqual(strayImports(lib, isAllowed), []);
  });

  test("lib/storage/index.ts is an entry point, which hands on the port and the decisions, and which nothing of ours imports", () => {
    const entry = "lib/storage/index.ts";
    const isAllowed = (imported: string): boolean =>
      imported.startsWith("lib/storage/") || imported.startsWith("lib/decisions/");
    assert.deepEqual(strayImports([entry], isAllowed), []);
    assert.deepEqual(
      strayImports(filesIn("lib", "adapters", "server"), (imported) => imported !== entry),
      [],
    );
  });

  for (const [layer, allowed] of Object.entries(layers)) {
    test(`${layer} imports of ours itself and ${allowed.join(", ") || "nothing else"}`, () => {
      const allowedPaths = [layer, ...allowed];
      const isOurs = (imported: string): boolean => /^(?:lib|adapters|server)\//.test(imported);
      assert.notDeepEqual(filesIn(layer), []);
      assert.deepEqual(
        strayImports(
          filesIn(layer).filter((path) => path !== "lib/storage/index.ts"),
          (imported) => !isOurs(imported) || allowedPaths.some((allowedPath) => isWithin(imported, allowedPath)),
        ),
        [],
      );
    });
  }

  test("a folder of an adapter, and the dashboard's kit, is imported by its index.ts alone", () => {
    const parents = ["adapters/memory/", "adapters/mysql/", "adapters/storage-contract/", "server/dashboard/app/kit/"];
    const folders = parents.flatMap((parent) => [
      parent,
      ...new Set(filesIn(parent).map((file) => `${posix.dirname(file)}/`)),
    ]);
    assert.ok(folders.includes("adapters/mysql/group-commit/"));
    const isFace = (folder: string, imported: string): boolean =>
      posix.dirname(imported) !== folder.slice(0, -1) || posix.basename(imported) === "index.ts";
    assert.deepEqual(
      strayImports(filesIn("lib", "adapters", "server", "examples"), (imported, file) =>
        folders.every((folder) => isWithin(file, folder) || isFace(folder, imported)),
      ),
      [],
    );
  });

  test("superstruct is imported in lib/input alone", () => {
    const others = lib.filter((path) => !path.startsWith("lib/input/"));
    assert.deepEqual(
      strayImports(others, (imported) => imported !== "superstruct"),
      [],
    );
  });

  test("no file imports itself by way of others, not even its types", () => {
    assert.deepEqual(circlesIn(filesIn("lib", "adapters", "server")), []);
  });

  test("the client imports neither Node nor a package, so that it runs wherever there is fetch", () => {
    const loaded = [
      ...filesIn("lib/client", "lib/bulk"),
      ...table,
      "lib/model/errors.ts",
      "lib/model/limits.ts",
      "lib/model/idempotency-keys.ts",
    ];
    assert.deepEqual(
      strayImports(loaded, (imported) => imported.startsWith("lib/")),
      [],
    );
  });

  test("adapters import no server", () => {
    assert.deepEqual(
      strayImports(filesIn("adapters"), (imported) => !imported.startsWith("server/")),
      [],
    );
  });

  test("nothing that is published imports tests or examples", () => {
    const isAllowed = (imported: string): boolean => !/^(?:test|examples)\//.test(imported);
    assert.deepEqual(strayImports(filesIn("lib", "adapters", "server"), isAllowed), []);
  });

  test("uvu is imported only by the wrapper", () => {
    const others = everything.filter((path) => !path.startsWith("test/support/"));
    assert.deepEqual(
      strayImports(others, (imported) => imported !== "uvu" && !imported.startsWith("uvu/")),
      [],
    );
  });

  test("no test is singled out, skipped or left without the wrapper", () => {
    const tests = filesIn("test");
    assert.deepEqual(strayLines(tests, /\b(?:test|suite|tests)\.(?:only|skip)\b/), []);
    assert.deepEqual(
      tests.filter(
        (path) => path.endsWith(".test.ts") && !/^(?:suite|databaseSuite|interfaceSuite)\(/m.test(codeOf(path)),
      ),
      [],
    );
  });

  test("HTTP's status numbers stand in statuses.ts, and those that a client meets in answers.ts", () => {
    // A limit or an address may look like one.
    const answers = ["lib/client/answers.ts", "lib/webhooks/answers.ts"];
    const withStatuses = [statuses, ...answers, "lib/model/limits.ts", "lib/webhooks/addresses.ts"];
    const others = lib.filter((path) => !withStatuses.includes(path));
    const status = /\b(?:20[0-6]|30[0-8]|40[0-9]|41[0-8]|42[1-9]|431|451|50[0-8])\b/;
    assert.deepEqual(strayLines(others, status), []);
    assert.notDeepEqual(strayLines([statuses], status), []);
  });

  test("sizes stand in limits.ts alone", () => {
    const others = lib.filter((path) => path !== "lib/model/limits.ts");
    assert.deepEqual(strayLines(others, /\bconst \w*(?:Bytes|Max|Default)\w*(?:: \w+)? = \d/), []);
    assert.notDeepEqual(strayLines(["lib/model/limits.ts"], /\bconst \w*(?:Bytes|Max|Default)\w*(?:: \w+)? = \d/), []);
  });

  test("SQL stands in sql and migrations alone", () => {
    const others = filesIn("lib", "adapters", "server").filter(
      (path) => !/^adapters\/mysql\/(?:sql\/|migrations\/|audiences\/sql\/|one-round-trip\/sql\/)/.test(path),
    );
    // A path after DELETE makes it a method of HTTP.
    assert.deepEqual(strayLines(others, /["'`(]\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP) (?!\/)/), []);
  });

  test("nothing of ours is of the type any, and no compiler error is silenced outside the tests of types", () => {
    const withoutTexts = (path: string): string => codeOf(path).replaceAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, '""');
    // Followed by a colon it is the key of a rule.
    assert.deepEqual(strayLines(everything, /(?:[:<|&,(=]|\bas|\bextends)\s*any\b(?!:)/, withoutTexts), []);
    const silenced = everything.filter((path) => /@ts-(?:ignore|nocheck|expect-error)[^(]/.test(read(path)));
    assert.deepEqual(
      silenced.filter(
        (path) =>
          ![
            "test/lib/model/app-types.test.ts",
            "test/lib/model/typed.test.ts",
            "test/project/types.test.ts",
            "test/project/layout.test.ts",
            // The frameworks whose types it extends may be absent.
            "server/visitors/app/elements.ts",
          ].includes(path) && !path.startsWith("test/orms/apps/"),
      ),
      [],
    );
  });

  test("files are under 260 lines, the port under 320, tests under 400", () => {
    const maxLines = (path: string): number => {
      if (path === "lib/storage/port.ts") return 320;
      return /^(?:test|adapters\/storage-contract)\//.test(path) ? 400 : 260;
    };
    assert.deepEqual(
      everything.filter((path) => read(path).split("\n").length > maxLines(path)),
      [],
    );
  });

  test("the top level holds dotfiles and what is listed here", () => {
    const files = ["LICENSE", "README.md", "package-lock.json", "package.json", "tsconfig.json"];
    const folders = ["adapters", "examples", "lib", "server", "test"];
    const found = topLevel();
    assert.deepEqual(
      found.filter((name) => !name.startsWith(".") && ![...files, ...folders].includes(name)),
      [],
    );
    assert.ok(folders.every((name) => found.includes(name)));
  });

  test("examples are in folders that have a guide, or in those that guides name", () => {
    const folders = new Set(filesIn("examples").map((path) => path.split("/")[1]!));
    const guides = [...folders].filter((folder) => existsSync(join(root, "examples", folder, "README.md")));
    const others = [...folders].filter((folder) => !guides.includes(folder));
    assert.deepEqual(others.toSorted(), ["mounts", "transactions"]);
  });

  test("tests lie in a folder of their subject, beside the programs that run them", () => {
    const subjects = ["adapters", "http", "lib", "project", "server"];
    const runs = [
      "bench",
      "cluster",
      "dashboard",
      "faults",
      "clients",
      "frameworks",
      "fuzz",
      "matrix",
      "openapi",
      "orms",
      "package",
      "reference",
      "shop",
      "soak",
      "support",
    ];
    const programs = ["check.ts", "coverage.ts", "long.ts", "run.ts"];
    const expected = [...subjects, ...runs, ...programs, "README.md"];
    assert.deepEqual(
      readdirSync(join(root, "test")).filter((name) => !expected.includes(name)),
      [],
    );
    const tests = filesIn("test").filter((path) => path.endsWith(".test.ts"));
    assert.deepEqual(
      tests.filter((path) => !subjects.includes(path.split("/")[1]!)),
      [],
    );
  });

  test("every file of lib has a test of its name", () => {
    // A face only hands on; what the port says is tested by the storage contract.
    const hasCode = (path: string): boolean => !path.endsWith("/index.ts") && /\bfunction\b|=> \{/.test(codeOf(path));
    assert.deepEqual(
      ofDomain.filter((path) => hasCode(path) && !existsSync(join(root, testOf(path)))),
      [],
    );
  });
});

/** What git tracks at the top; in a copy without git what lies there and is not ignored. */
function topLevel(): string[] {
  if (existsSync(join(root, ".git"))) {
    const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
    return [...new Set(tracked.map((path) => path.split("/")[0]!))];
  }
  const ignored = read(".gitignore")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => new RegExp(`^${line.replace(/\/$/, "").replaceAll(".", "\\.").replaceAll("*", ".*")}$`));
  return readdirSync(root).filter((name) => !ignored.some((pattern) => pattern.test(name)));
}

function testOf(path: string): string {
  return path.replace("lib/", "test/lib/").replace(/\.ts$/, ".test.ts");
}
