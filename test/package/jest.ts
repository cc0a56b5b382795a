import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodes, root } from "../matrix/installs.ts";
import { suite } from "../support/suite.ts";
import { createProject, outputOf } from "./projects.ts";

/** A test of a CommonJS project: Jest's `require` loads every entry point. */
const tracksInJest = (entries: string[]): string => `
const [{ createTracker }] = ${JSON.stringify(entries)}.map((entry) => require(entry));
const { memoryStorage } = require("whodid/memory");

test("an event is recorded", async () => {
  const tracker = createTracker({ storage: memoryStorage() });
  await tracker.contacts.upsert({ email: "ada@example.com" });
  const { event } = await tracker.events.track({ externalId: "ada@example.com", eventKey: "signup_completed" });
  expect(event.eventKey).toBe("signup_completed");
});
`;

/** Takes the packages to install and the configuration from the guide to tests. */
export function testJest(tarball: string, entries: string[]): void {
  const readme = readFileSync(join(root, "examples/own-tests/README.md"), "utf8");
  const [, packages = ""] = /`npm i -D (jest [^`]*)`/.exec(readme) ?? [];
  const [, configuration = ""] = /^```cjs\n\/\/ jest\.config\.js\n([\s\S]*?)^```/m.exec(readme) ?? [];
  const { folder } = createProject(tarball, "consumer-commonjs.ts", packages.split(" "), "jest", "commonjs");
  writeFileSync(join(folder, "jest.config.js"), configuration);
  writeFileSync(join(folder, "tracks.test.js"), tracksInJest(entries));

  suite("the package under Jest in a CommonJS project", (test) => {
    test("needs two lines of configuration", () => {
      const [, lines = ""] = /^module\.exports = \{\n([\s\S]*)\};\n$/.exec(configuration) ?? [];
      assert.equal(lines.split(",\n").length - 1, 2);
    });

    for (const [version, node] of Object.entries(nodes())) {
      test(`is loaded by the README's configuration on ${version}`, () => {
        outputOf(folder, node, "node_modules/jest/bin/jest.js", "--ci", "--cacheDirectory", ".jest");
      });
    }
  });
}
