/**
 * `npm run long -- package`: the package as it would be published, in empty projects, on every version of Node. Ends with
 * `N passed, N failed`.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { install, installs, nodes, root } from "../matrix/installs.ts";
import { database } from "../support/mysql.ts";
import { suite } from "../support/suite.ts";
import { checkTypeErrors } from "../support/type-errors.ts";
import { testClone } from "./clone.ts";
import { testCommonJs } from "./commonjs.ts";
import { firstApp, recordFirstEvent } from "./first-app.ts";
import { testImage } from "./image.ts";
import { testJest } from "./jest.ts";
import { compile, createProject, nodenext, outputOf, pack } from "./projects.ts";

// Before the first suite: one that is defined after a pause starts a run of its own.
const server = await database();
install();
const { tarball, unpackedBytes } = pack();
const memory = createProject(tarball, "consumer.ts", []);
const mysql = createProject(tarball, "consumer-mysql.ts", ["mysql2"]);
const browser = createProject(tarball, "consumer-browser.ts", []);
const express = createProject(tarball, "consumer.ts", ["express", "@types/express"], "express");
const guide = readFileSync(join(root, "examples/own-tests/README.md"), "utf8");
const ofServer = readFileSync(join(root, "server/README.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, string>;
  scripts: object;
  sideEffects: unknown;
};
const entries = Object.keys(manifest.exports).map((entry) => entry.replace(".", "whodid"));

suite("the package as published", (test) => {
  test("has nothing that publint finds", () => {
    outputOf(root, process.execPath, binary("publint/src/cli.js"), "run", tarball, "--strict");
  });

  test("has types that are right for ESM", () => {
    outputOf(root, process.execPath, binary("@arethetypeswrong/cli/dist/index.js"), tarball, "--profile", "esm-only");
  });

  test("brings three packages and the one of theirs: no mysql2 where only memory is used, no framework of pages", () => {
    const names = memory.packages.map((path) => path.replace("node_modules/", ""));
    assert.deepEqual(names.filter(Boolean).sort(), ["clone", "itty-router", "node-cache", "superstruct", "whodid"]);
    assert.ok(mysql.packages.includes("node_modules/mysql2"));
  });

  test("runs no script when it is installed, nor does a package that comes with it", () => {
    assert.doesNotMatch(memory.lock, /"hasInstallScript"/);
    assert.deepEqual(
      Object.keys(manifest.scripts).filter((name) => /install|^prepare$/.test(name)),
      [],
    );
  });

  test("has no source maps, whose sources it would not have, and lets a bundler drop what is not used", () => {
    const dist = join(memory.folder, "node_modules/whodid/dist");
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => /\.(?:js|map)$/.test(path));
    assert.deepEqual(
      files.filter(
        (path) => path.endsWith(".map") || readFileSync(join(dist, path), "utf8").includes("sourceMappingURL"),
      ),
      [],
    );
    assert.deepEqual(manifest.sideEffects, ["./dist/server/visitors/app/index.js"]);
  });

  test("has at most 2.2 MB unpacked", () => {
    assert.ok(unpackedBytes <= 2_200_000, `${unpackedBytes} bytes`);
  });
});

suite("the package in an empty project", (test) => {
  test("is tried at every entry point", () => {
    const consumers = [memory, mysql, browser]
      .map(({ folder }) => readFileSync(join(folder, "consumer.ts"), "utf8"))
      .join();
    for (const entry of entries) assert.ok(consumers.includes(` from "${entry}";`), entry);
  });

  for (const settings of [{ module: "esnext", moduleResolution: "bundler" }, nodenext] as const) {
    test(`type-checks as ${settings.module}, its declarations included`, () => {
      for (const project of [memory, mysql, browser]) compile(project, settings);
    });
  }

  for (const version of ["58", "6"]) {
    test(`lets TypeScript ${version} report a missing property in a few lines`, () => {
      checkTypeErrors(binary(`typescript${version}/bin/tsc`));
    });
  }

  test("makes the README's Express app TypeScript", async () => {
    writeFileSync(join(express.folder, "consumer.ts"), await firstApp());
    compile(express, nodenext);
  });

  for (const [version, node] of Object.entries(nodes())) {
    test(`records the first event of the README's Express app on ${version}`, async () => {
      assert.match(await recordFirstEvent(express.folder, node), /^\{"success":true,"event":\{"id":/);
    });

    test(`runs on ${version}`, () => {
      assert.match(outputOf(memory.folder, node, "consumer.js"), /^whodid, .*whodid\/visitors\n$/);
      assert.match(outputOf(mysql.folder, node, "consumer.js"), /^whodid, whodid\/mysql\n$/);
      assert.equal(outputOf(browser.folder, node, "consumer.js"), "whodid/browser\n");
    });

    test(`has its command on ${version}`, () => {
      const command = "node_modules/whodid/dist/server/main.js";
      assert.match(outputOf(memory.folder, node, command, "keys", "generate"), /^sk_/);
      assert.match(outputOf(memory.folder, node, command, "openapi"), /"3\.1\.0"/);
    });
  }
});

testCommonJs(tarball, guide);
testJest(tarball, entries);
testClone(ofServer);
testImage(server);

function binary(path: string): string {
  return join(installs, "node_modules", path);
}
