/**
 * `npm run test:matrix`: the HTTP cases through every framework, on every version of Node. Ends with `N passed, N failed`; fails
 * when a request is not answered, and when the outcome is not the one that the READMEs print. `-- --write` prints it there.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./cases.ts";
import { build, install, installs, nodes, root } from "./installs.ts";
import { matrixTable, ownAnswers, type Results } from "./tables.ts";

install();
build();
const results: Results = {};
for (const [version, node] of Object.entries(nodes())) results[version] = play(version, node);

const outcomes = Object.values(results).flat();
const faults = outcomes.flatMap(({ mount, unanswered }) => unanswered.map((what) => `${mount}: not answered: ${what}`));
const printed = Object.values(results).map(ownAnswers);
if (new Set(printed).size > 1) faults.push("The versions of Node differ in what the frameworks answer by themselves.");
const isWriting = process.argv.includes("--write") && faults.length === 0;
for (const [file, pattern, text] of [
  ["README.md", /^\| Mounted in [\s\S]*?(?=\n\n)/m, matrixTable(results)],
  ["test/matrix/README.md", /(?<=\n)### [\s\S]*$/, printed[0]!],
] as const) {
  const path = join(root, file);
  const before = readFileSync(path, "utf8");
  const after = before.replace(pattern, () => text);
  if (isWriting) writeFileSync(path, after);
  else if (before !== after || !pattern.test(before)) faults.push(`${file} prints otherwise than:\n${text}`);
}

for (const fault of faults) console.error(fault);
console.log(`${outcomes.flatMap(({ passed }) => passed).length} passed, ${faults.length} failed`);
if (faults.length > 0) process.exitCode = 1;

function play(version: string, node: string): Outcome[] {
  // The recipe that needs a package of the matrix.
  execFileSync(node, [join(installs, "out/examples/supertest.js")], { stdio: ["ignore", "ignore", "inherit"] });
  const output = execFileSync(node, [join(import.meta.dirname, "cases.js")], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 10 * 60_000,
    maxBuffer: 64 * 1_024 * 1_024,
  });
  // Next.js prints lines of its own.
  const played = output.split("\n").filter((line) => line.startsWith('{"mount":'));
  for (const { mount, passed, otherwise } of played.map((line) => JSON.parse(line) as Outcome)) {
    console.log(`${version}, ${mount}: ${passed.length} passed, ${otherwise.length} answered by the framework itself`);
  }
  return played.map((line) => JSON.parse(line) as Outcome);
}
