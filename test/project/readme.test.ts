import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { routes } from "../../lib/http/routes/index.ts";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const readme = await readFile(join(root, "README.md"), "utf8");
const library = await readFile(join(root, "lib/README.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
/** The guides: the folders of `examples` that have a README, by name. The shop is an app, and no guide. */
const guides = new Map(
  readdirSync(join(root, "examples"))
    .filter((name) => name !== "shop" && existsSync(join(root, "examples", name, "README.md")))
    .map((name) => [name, readFileSync(join(root, "examples", name, "README.md"), "utf8")]),
);
/** The programs. Those of the library that import nothing go on from its first. */
const programs = [library, readme, ...guides.values()]
  .flatMap((text) => Array.from(text.matchAll(/^```js\n([\s\S]*?)^```/gm), ([, code]) => code!))
  .map((code, _, [first]) => (code.includes("import {") ? code : first + code));

/** The paths of all READMEs. Hidden folders of longer runs have links to the root. */
const readmes = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(?:node_modules|dist|\..*)$/.test(entry.name))
  .flatMap(({ name }) =>
    readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).map((path) => posix.join(name, path)),
  )
  .filter((path) => posix.basename(path) === "README.md" && !/(?:^|\/)(?:node_modules|dist|\.\w+)\//.test(path))
  .concat("README.md");

suite("the READMEs", (test) => {
  for (const [index, code] of programs.entries()) {
    test(`program ${index + 1} runs`, async () => {
      const folder = join(root, "dist/readme");
      const file = join(folder, `${index}.mjs`);
      await mkdir(folder, { recursive: true });
      await writeFile(file, code);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { timeout: 120_000 });
      await rm(file);
      assert.equal(stderr, "");
      const [, printed = ""] = /console\.log\(.*\/\/ (.*)/.exec(code) ?? [];
      assert.equal(stdout.trim(), printed);
    });
  }

  test("there are the example of the root, and four of the library", () => {
    assert.ok(programs.length >= 5);
  });

  test("a guide has at most 700 words, the guides 45 kB, and each names a program and ends with what goes wrong", () => {
    const short = ["own-tests"];
    for (const [name, text] of guides) {
      assert.ok(text.split(/\s+/).length <= 700, name);
      assert.match(text, /\]\([a-z-]+\.ts\)/, name);
      assert.equal(/^## If it goes wrong\n[^#]*$/m.test(text), !short.includes(name), name);
    }
    assert.ok([...guides.values()].join("").length <= 45_000);
    assert.equal(guides.size, 11);
  });

  test("they have at most 120 kB by hand in all, without what aligns the columns of tables", () => {
    const bytesOf = (path: string): number =>
      Buffer.byteLength(readFileSync(join(root, path), "utf8").replace(/ {2,}(?=\|)|-{4,}(?=[-| ])/g, ""));
    const most: Record<string, number> = {
      "README.md": 10_240,
      "lib/README.md": 16_000,
      "adapters/mysql/README.md": 20_000,
    };
    assert.deepEqual(
      Object.entries(most).filter(([path, bytes]) => bytesOf(path) > bytes),
      [],
    );
    assert.ok(readmes.reduce((sum, path) => sum + bytesOf(path), 0) <= 120_000);
  });

  test("their commands are scripts, longer runs and benches that there are", () => {
    // The shop has scripts of its own.
    const ours = readmes.filter((path) => !path.startsWith("examples/shop/"));
    const text = ours.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
    const benches = readFileSync(join(root, "test/bench/run.ts"), "utf8");
    const commands = [...text.matchAll(/npm run ([\w:]+)(?: -- ([a-z-]+))?/g)];
    const isThere = (script: string, name: string): boolean => {
      if (script === "long" && name !== "") return existsSync(join(root, "test", name, "run.ts"));
      if (script === "bench" && name !== "") return new RegExp(`^  "?${name}"?[:,]`, "m").test(benches);
      return script in manifest.scripts;
    };
    assert.ok(commands.length >= 20);
    assert.deepEqual(
      commands.filter(([, script, name]) => !isThere(script!, name ?? "")).map(([command]) => command),
      [],
    );
  });

  test("their links lead to files that are there, and those of packed files to packed ones", () => {
    const packed = packedFiles();
    const texts = packed.filter((path) => path.endsWith(".md"));
    assert.ok(texts.length >= 25 && texts.includes(".github/CHANGELOG.md") && !texts.includes("test/README.md"));
    assert.ok(packed.includes("server/dashboard/contact.png"));
    const broken = Array.from(new Set([...readmes, ...texts])).flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const links = Array.from(text.matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, link]) => link!);
      // An install is not to grow by more pictures than that of the first page.
      const isReached = (target: string): boolean =>
        !packed.includes(file) ||
        packed.some((path) => path === target || path.startsWith(`${target}/`)) ||
        (file === "server/dashboard/README.md" && target.endsWith(".png"));
      return links
        .map((link) => posix.join(posix.dirname(file), link))
        .filter((target) => !existsSync(join(root, target)) || !isReached(target))
        .map((target) => `${file} -> ${target}`);
    });
    assert.deepEqual(broken, []);
  });

  test("their anchors are headings, those of the references too", () => {
    const read = (path: string): string => readFileSync(join(root, path), "utf8").replaceAll(/^```[^]*?^```/gm, "");
    const references = readmes
      .map((path) => path.replace("README", "REFERENCE"))
      .filter((path) => existsSync(join(root, path)));
    const anchorsOf = (path: string): string[] =>
      Array.from(read(path).matchAll(/^#+ (.*)$/gm), ([, heading]) =>
        heading!
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, "")
          .replaceAll(" ", "-"),
      );
    const links = [...readmes, ...references].flatMap((file) =>
      Array.from(read(file).matchAll(/\]\((?!https?:)([^)#]*)#([^)]*)\)/g), ([, path, anchor]) => ({
        file,
        path,
        anchor: anchor!,
      })),
    );
    assert.ok(references.length >= 4 && links.length > 100);
    assert.deepEqual(
      links.filter(({ file, path, anchor }) => {
        const target = path ? posix.join(posix.dirname(file), path) : file;
        return !anchorsOf(target).includes(anchor);
      }),
      [],
    );
  });

  test("CONTRIBUTING names each folder of lib; the READMEs count the methods of the port and the slow tests of the contract", () => {
    const [, code = ""] =
      /^## The map\n([\s\S]*?)^## /m.exec(readFileSync(join(root, ".github/CONTRIBUTING.md"), "utf8")) ?? [];
    const folders = readdirSync(join(root, "lib"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(
      folders.map(({ name }) => name).filter((name) => !code.includes(`\`${name}\``)),
      [],
    );
    const textsIn = (folder: string): string[] =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFileSync(join(root, folder, name), "utf8"));
    const interfaces = textsIn("lib/storage").flatMap((text) =>
      Array.from(text.matchAll(/^export interface \w*Storage\b[^{]*\{\n([\s\S]*?)^\}/gm), ([, methods]) => methods!),
    );
    const methods = interfaces.flatMap((text) => [...text.matchAll(/^ {2}\w+[(<]/gm)]);
    const slow = textsIn("adapters/storage-contract").flatMap((text) => [...text.matchAll(/^ +test\("[^"]*\b5 s\b/gm)]);
    const [files, waits] = [interfaces.length - 1, slow.length].map(
      (count) => "zero one two three four five six seven eight nine ten eleven".split(" ")[count],
    );
    const told = readFileSync(join(root, "adapters/storage-contract/README.md"), "utf8").toLowerCase();
    for (const words of [`${files} files beside it`, `${methods.length} methods`, `${waits} tests wait 5 s`])
      assert.ok(told.includes(words), words);
  });

  test("the first page shows routes that there are", () => {
    const shown = [...readme.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE) [^`]+)` +\| *(\w+) *\|/gm)];
    const all = routes.map(({ method, path, access }) => `${method} ${path} ${access}`);
    assert.ok(shown.length >= 5);
    assert.deepEqual(
      shown.map(([, route, access]) => `${route} ${access}`).filter((line) => !all.includes(line)),
      [],
    );
  });
});

/** The files that npm packs. */
function packedFiles(): string[] {
  const options = ["--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const printed = execFileSync("npm", ["pack", ...options], { cwd: root, encoding: "utf8" });
  const [{ files }] = JSON.parse(printed) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}
