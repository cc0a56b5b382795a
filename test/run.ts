/**
 * Runs the compiled tests in several processes: `node dist/test/run.js`, with coverage, or without it those whose path contains
 * an argument: `node dist/test/run.js events`. Ends with the slowest files and `N passed, N failed`. Exits 1 unless there were
 * tests and all of them passed.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { coverageFolder, isCovered } from "./coverage.ts";
import { runFiles, tests, type Ran } from "./support/test-processes.ts";

/** Beside the one that mostly waits: a machine of two cores waits for a third of the time. */
const processes = 3;
/** `check:all` kills a run after 30 minutes, and would not know the file that hangs. */
const longestMs = 28 * 60_000;

/** The longest that use the processor. */
const longest: readonly string[] = [
  "adapters/mysql/contract.test.js",
  "adapters/mysql/model.test.js",
  "server/import/command.test.js",
  "adapters/mysql/events/pruning.test.js",
  "http/over-mysql.test.js",
  "adapters/mysql/watches/notice-model.test.js",
  "http/hostile.test.js",
];

/** These wait for four fifths of their time. A process of their own runs them beside the others. */
const idle: readonly string[] = [
  "adapters/mysql/connection/hosts.test.js",
  "adapters/mysql/workspaces/late-writes.test.js",
  "adapters/mysql/workspaces/workspaces.test.js",
  "server/database.test.js",
  "server/frozen.test.js",
  "server/metrics.test.js",
  "adapters/mysql/connection/failover.test.js",
  "adapters/mysql/connection/handshakes.test.js",
  "lib/client/transport.test.js",
  "lib/client/misbehaving.test.js",
  "lib/consumers/running.test.js",
  "http/waiting.test.js",
];

/** These measure seconds or memory, or fill a pool, and wait for most of their time. They run after the others, two at once. */
const apart: readonly string[] = [
  "server/stop.test.js",
  "adapters/mysql/connection/pools.test.js",
  "server/slow-clients.test.js",
  "lib/health.test.js",
  "http/body-memory.test.js",
];

const sources = join(tests, "../../test");
const wanted = process.argv.slice(2);
const names = readdirSync(tests, { recursive: true, encoding: "utf8" })
  // A build leaves what it made of a file that is gone since.
  .filter((name) => name.endsWith(".test.js") && existsSync(join(sources, name.replace(/js$/, "ts"))))
  .sort((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b));
const chosen = names.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const measured = wanted.length === 0;
if (measured) {
  rmSync(coverageFolder, { recursive: true, force: true });
  process.env["NODE_V8_COVERAGE"] = coverageFolder;
}

const began = performance.now();
const deadline = Date.now() + longestMs;
for (const name of [...apart, ...idle, ...longest]) if (!names.includes(name)) throw new Error(`There is no ${name}.`);
const isChosen = (name: string): boolean => chosen.includes(name);
const parts = await Promise.all([
  runFiles(
    chosen.filter((name) => !apart.includes(name) && !idle.includes(name)),
    processes,
    deadline,
  ),
  runFiles(idle.filter(isChosen), 1, deadline),
]);
parts.push(await runFiles(apart.filter(isChosen), 2, deadline));

const ran: Ran[] = parts.flatMap(({ files }) => files);
const notes = parts.flatMap((part) => part.notes);
const covered = !measured || isCovered(!notes.some((note) => note.startsWith("MYSQL NOT TESTED")));
console.log("The slowest files:");
for (const result of ran.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  console.log(`${timesOf(result)}  ${result.file}`);
}
for (const { file, seed } of ran) {
  if (seed === null) continue;
  const word = file.replace(/\.test\.js$/, "");
  console.log(`Repeat the random test that failed: SEED=${seed} npm test -- ${word}`);
}
const sum = (key: "passed" | "failed" | "processorSeconds"): number =>
  ran.reduce((total, result) => total + result[key], 0);
const seconds = (performance.now() - began) / 1_000;
const used = sum("processorSeconds");
const free = Math.max(0, 1 - used / seconds / 2) * 100;
console.log(`${seconds.toFixed(0)} s, ${used.toFixed(0)} s of processor, ${free.toFixed(0)} % of two processors free`);
for (const note of new Set(notes)) console.log(note);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
if (sum("passed") === 0 || sum("failed") > 0 || !covered) process.exitCode = 1;

/** Waiting is also waiting for a processor that others use. */
function timesOf({ seconds: all, processorSeconds: ofIt }: Ran): string {
  const waiting = Math.max(0, 1 - ofIt / all) * 100;
  return `${all.toFixed(1).padStart(6)} s, ${ofIt.toFixed(1).padStart(5)} s of processor, ${waiting.toFixed(0).padStart(2)} % waiting`;
}

/** The longest first, so that no process runs one while the others are done; then those that need the database. */
function rankOf(name: string): number {
  const rank = longest.indexOf(name);
  if (rank >= 0) return rank;
  return longest.length + (readFileSync(join(tests, name), "utf8").includes("databaseSuite(") ? 0 : 1);
}
