/**
 * `npm run check:all`: everything that must pass before a change lands. Ends with `N passed, N failed`: the sum of what the runs
 * counted. A run that exits with another code than 0 and counted no failure is one failure. Prints the seconds of each run, the
 * seconds of the processor that its processes used, and the share of its time in which two processors would have been free. The
 * tests that failed are named once more before the sum, with the beginning of what they said, where they are seen without all that
 * the runs printed.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { prepare } from "./support/prepare.ts";
import { processorSeconds } from "./support/processor.ts";

/** The line that a run ends with. */
const countLine = /^(\d+) passed, (\d+) failed$/;
/** A run that lasts longer hangs. It is killed, and the next one begins. */
const longestRunMs = 30 * 60_000;
const processors = 2;
/** How many of the tests that failed are named. */
const namedMax = 50;
const root = join(import.meta.dirname, "../..");
const node = process.execPath;

/** A command, and whether it prints what it counted. */
interface Run {
  command: string[];
  counts: boolean;
}

const long = (words: string): Run => {
  const [name, ...args] = words.split(" ");
  return { command: [node, `dist/test/${name}/run.js`, ...args], counts: true };
};

let passed = 0;
let failed = 0;
const failures: string[] = [];
await carryOutAll(1, [{ command: [node, "dist/test/run.js"], counts: true }]);
// Not later: what these compile is written over files that other runs load.
for (const name of ["bench", "dashboard", "frameworks", "openapi"]) prepare(name);
// The longest begin first. `matrix` begins early: `package` uses what it installs. `orms`, whose calls wait for each other, runs
// beside the two that use the processor least.
const names = ["cluster galera", "orms", "matrix", "dashboard", "faults", "cluster mysql"];
const later = ["package", "clients", "shop", "openapi", "frameworks"];
// Beside the others, which mostly wait.
const lints: Run[] = [
  { command: [node, "node_modules/prettier/bin/prettier.cjs", "--check", "."], counts: false },
  { command: [node, "node_modules/oxlint/bin/oxlint"], counts: false },
];
await carryOutAll(3, [...names.map(long), ...lints, ...later.map(long)]);
for (const failure of failures.slice(0, namedMax)) console.log(failure);
if (failures.length > namedMax) console.log(`and ${failures.length - namedMax} more`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Begins the runs in their order, so many at once. */
async function carryOutAll(atOnce: number, runs: Run[]): Promise<void> {
  const next = async (): Promise<void> => {
    for (let run = runs.shift(); run; run = runs.shift()) count(run, await carryOut(run.command, atOnce > 1));
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

function count({ command, counts }: Run, { status, output, seconds, used }: Ended): void {
  const name = command.join(" ");
  const free = Math.max(0, 1 - used / seconds / processors);
  console.log(
    `${name}: ${Math.round(seconds)} s, ${Math.round(used)} s of processor, ${Math.round(free * 100)} % free`,
  );
  const counted = output.split("\n").findLast((line) => countLine.test(line));
  const [, passes = 0, fails = 0] = countLine.exec(counted ?? "") ?? [];
  passed += Number(passes);
  failed += Number(fails);
  const plain = stripVTControlCharacters(output);
  for (const { 0: line, 1: test, index } of plain.matchAll(/^ *FAIL  (.*)$/gm)) {
    // What it said ends where its stack, a second account of what differs, the next failure or the count begins.
    const rest = plain.slice(index + line.length, index + line.length + 600);
    const [said = ""] = rest.split(/\n {4,}at |\n {8}\S|\n *FAIL  |\n\d+ passed, /);
    failures.push(`FAILED in ${name}: ${test} ${said.trim().replace(/\s+/g, " ")}`);
  }
  if (Number(fails) === 0 && (status !== 0 || (counts && counted === undefined))) {
    failed++;
    failures.push(`FAILED: ${name}`);
  }
}

/** How a run ended. */
interface Ended {
  status: number | null;
  output: string;
  seconds: number;
  /** Seconds of the processor. */
  used: number;
}

/** Runs the command to its end, and passes on what it prints: at its end if another runs beside it. */
function carryOut([program, ...args]: string[], isBeside: boolean): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(program!, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      // A server that the run has started may hold its end of a pipe open.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }, longestRunMs);
    let used = 0;
    let last = 0;
    // A database that outlives the process which started it leaves the sum, with all that it has used.
    const looks = setInterval(() => {
      const now = processorSeconds(child.pid);
      used += Math.max(0, now - last);
      last = now;
    }, 500);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        if (!isBeside) process.stdout.write(text);
        output += text;
      });
    }
    child.on("error", reject).on("close", (status) => {
      clearTimeout(timer);
      clearInterval(looks);
      if (isBeside) process.stdout.write(output);
      resolve({ status, output, seconds: (performance.now() - began) / 1_000, used });
    });
  });
}
