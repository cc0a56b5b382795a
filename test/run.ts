/**
 * Runs the compiled tests in several processes: `node dist/test/run.js`, with coverage, or without it those whose path contains
 * an argument: `node dist/test/run.js events`. Ends with the slowest files and `N passed, N failed`. Exits 1 unless there were
 * tests and all of them passed.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { coverageFolder, isCovered } from "./coverage.ts";
import { runFiles, tests, type Ran } from "./support/test-processes.ts";

/** A machine of two cores waits for half of the time. */
const processes = 3;
/** `check:all` kills a run after 20 minutes, and would not know the file that hangs. */
const longestMs = 18 * 60_000;

/** These measure seconds or memory, or fill a pool. They run after the others, in one process. */
const alone: readonly string[] = [
  "adapters/mysql/connection/pools.test.js",
  "http/body-memory.test.js",
  "server/health.test.js",
  "server/slow-clients.test.js",
  "server/stop.test.js",
];

const wanted = process.argv.slice(2);
const names = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.js"))
  .sort((a, b) => waitOf(b) - waitOf(a) || a.localeCompare(b));
const chosen = names.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const measured = wanted.length === 0;
if (measured) {
  rmSync(coverageFolder, { recursive: true, force: true });
  process.env["NODE_V8_COVERAGE"] = coverageFolder;
}

const deadline = Date.now() + longestMs;
const isAlone = (name: string): boolean => alone.includes(name);
for (const name of alone) if (!names.includes(name)) throw new Error(`There is no ${name} to run alone.`);
const shared = await runFiles(
  chosen.filter((name) => !isAlone(name)),
  processes,
  deadline,
);
const last = await runFiles(chosen.filter(isAlone), 1, deadline);

const ran: Ran[] = [...shared.files, ...last.files];
const covered = !measured || isCovered(!shared.notes.some((note) => note.startsWith("MYSQL NOT TESTED")));
console.log("The slowest files:");
for (const { file, seconds } of ran.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}`);
}
for (const { file, seed } of ran) {
  if (seed === null) continue;
  const word = file.replace(/\.test\.js$/, "");
  console.log(`Repeat the random test that failed: SEED=${seed} npm test -- ${word}`);
}
const sum = (key: "passed" | "failed"): number => ran.reduce((total, result) => total + result[key], 0);
for (const note of new Set([...shared.notes, ...last.notes])) console.log(note);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
if (sum("passed") === 0 || sum("failed") > 0 || !covered) process.exitCode = 1;

/** Files that last longer have a larger number and begin first, so that no process runs one while the others are done. */
function waitOf(name: string): number {
  const text = readFileSync(join(tests, name), "utf8");
  if (!text.includes("databaseSuite(")) return 0;
  // Random tests, and suites so long that their tests run several at once.
  return /"fast-check"|atOnce/.test(text) ? 2 : 1;
}
