/**
 * `npm run long -- matrix`: the HTTP cases through every framework, on the oldest and the newest Node. Ends with `N passed, N failed`;
 * fails when a request is not answered, and when the cases that a framework answers itself are not those of own-answers.json.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./cases.ts";
import { build, install, installs, nodes, root } from "./installs.ts";

/** Cases that a framework answers before the tracker sees the request, or with a body that its parser has changed, and why. */
interface OwnAnswers {
  reason: string;
  mounts: string[];
  cases: string[];
}

const ownAnswers = JSON.parse(readFileSync(join(root, "test/matrix/own-answers.json"), "utf8")) as OwnAnswers[];
const readme = readFileSync(join(root, "test/matrix/README.md"), "utf8");

install();
build();
let passed = 0;
const failures: string[] = [];
const versions = Object.entries(nodes());
for (const [version, node] of [versions[0]!, versions.at(-1)!]) {
  const played = play(node);
  for (const outcome of played) {
    const { mount, otherwise } = outcome;
    console.log(`${version}, ${mount}: ${outcome.passed.length} passed, ${otherwise.length} answered by the framework`);
    passed += outcome.passed.length;
    failures.push(...failuresOf(outcome).map((what) => `${version}, ${mount}: ${what}`));
  }
  const unknown = ownAnswers
    .flatMap(({ mounts }) => mounts)
    .filter((name) => !played.some(({ mount }) => mount === name));
  failures.push(...new Set(unknown.map((mount) => `${version}: own-answers.json names ${mount}, which is no mount`)));
}

// As uvu names them: `check:all` looks for it.
for (const failure of failures) console.error(`FAIL  ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
if (failures.length > 0) process.exitCode = 1;

function failuresOf({ mount, otherwise, unanswered }: Outcome): string[] {
  const listed = ownAnswers.filter(({ mounts }) => mounts.includes(mount)).flatMap(({ cases }) => cases);
  return [
    ...unanswered.map((what) => `not answered: ${what}`),
    ...otherwise.filter((title) => !listed.includes(title)).map((title) => `answered otherwise: ${title}`),
    ...listed
      .filter((title) => !otherwise.includes(title))
      .map((title) => `listed, but answered as it should be: ${title}`),
    ...(readme.includes(`| ${mount} `) ? [] : ["not in the table of README.md"]),
  ];
}

function play(node: string): Outcome[] {
  // The recipe that needs a package of the matrix.
  execFileSync(node, [join(installs, "out/examples/supertest.js")], { stdio: ["ignore", "ignore", "inherit"] });
  const output = execFileSync(node, [join(import.meta.dirname, "cases.js")], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 10 * 60_000,
    maxBuffer: 64 * 1_024 * 1_024,
  });
  // Next.js prints lines of its own.
  const lines = output.split("\n").filter((line) => line.startsWith('{"mount":'));
  return lines.map((line) => JSON.parse(line) as Outcome);
}
