import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { nodes, root } from "../matrix/installs.ts";
import { suite } from "../support/suite.ts";
import { compile, createProject, nodenext, outputOf, type ModuleSettings } from "./projects.ts";

/** What the guide to tests says of each setting: whether a CommonJS project's `import` of the package compiles, and then runs. */
const fromCommonJs: [ModuleSettings, "runs" | "compiles" | "is refused"][] = [
  [nodenext, "runs"],
  [{ module: "node20" }, "runs"],
  [{ module: "commonjs", moduleResolution: "bundler" }, "runs"],
  [{ module: "preserve", moduleResolution: "bundler" }, "compiles"],
  [{ module: "node16" }, "is refused"],
  [{ module: "node18" }, "is refused"],
];

export function testCommonJs(tarball: string, readme: string): void {
  const commonjs = createProject(tarball, "consumer-commonjs.ts", ["mysql2"], "commonjs", "commonjs");
  suite("the package in a CommonJS project", (test) => {
    for (const [settings, outcome] of fromCommonJs) {
      test(`${outcome} with ${Object.values(settings).join(" and ")}, as the README says`, () => {
        assert.match(readme, new RegExp(`^\\| .*\`${settings.module}\`.*\\| ${outcome}`, "m"));
        if (outcome === "is refused") {
          assert.throws(() => compile(commonjs, settings), /TS1479/);
          return;
        }
        compile(commonjs, settings);
        if (outcome !== "runs") return;
        for (const node of Object.values(nodes())) {
          assert.equal(outputOf(commonjs.folder, node, "consumer.js"), "whodid by function\n");
        }
      });
    }

    test("is imported by import() with node16", () => {
      cpSync(join(root, "test/package/consumer-commonjs-import.ts"), join(commonjs.folder, "consumer.ts"));
      compile(commonjs, { module: "node16" });
      for (const node of Object.values(nodes())) {
        assert.equal(outputOf(commonjs.folder, node, "consumer.js"), "whodid keeps ada@example.com\n");
      }
    });
  });
}
