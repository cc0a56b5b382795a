/**
 * `npm run check:all`: everything that must pass before a change lands, one run after another. Ends with `N passed, N failed`: the sum of
 * what the runs counted. A run that exits with another code than 0 and counted no failure is one failure. Prints the seconds of each run.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";

/** The line that a run ends with. */
const countLine = /^(\d+) passed, (\d+) failed$/;
/** A run that lasts longer hangs. It is killed, and the next one begins. */
const longestRunMs = 20 * 60_000;
const root = join(import.meta.dirname, "../..");
const node = process.execPath;
const longRuns = [
  "openapi",
  "clients",
  "frameworks",
  "faults",
  "cluster",
  "orms",
  "matrix",
  "dashboard",
  // These build `dist` anew, as it is published.
  "package",
  "shop",
];

/** The commands, and whether each prints what it counted. */
const runs: { command: string[]; counts: boolean }[] = [
  { command: [node, "node_modules/oxlint/bin/oxlint"], counts: false },
  { command: [node, "node_modules/prettier/bin/prettier.cjs", "--check", "."], counts: false },
  { command: [node, "dist/test/run.js"], counts: true },
  // Without a name it only compiles the benches.
  { command: [node, "dist/test/long.js", "bench"], counts: false },
  ...longRuns.map((name) => ({ command: [node, "dist/test/long.js", name], counts: true })),
];

let passed = 0;
let failed = 0;
for (const { command, counts } of runs) {
  const began = performance.now();
  const { status, output } = await run(command);
  console.log(`${command.join(" ")}: ${Math.round((performance.now() - began) / 1_000)} s`);
  const counted = output.findLast((line) => countLine.test(line));
  const [, passes = 0, failures = 0] = countLine.exec(counted ?? "") ?? [];
  passed += Number(passes);
  failed += Number(failures);
  if (Number(failures) === 0 && (status !== 0 || (counts && counted === undefined))) {
    failed++;
    console.error(`${command.join(" ")} failed`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs the command to its end, passes on what it prints, and keeps it. */
function run([program, ...args]: string[]): Promise<{ status: number | null; output: string[] }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      // A server that the run has started may hold its end of a pipe open.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }, longestRunMs);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        process.stdout.write(text);
        output += text;
      });
    }
    child.on("error", reject).on("close", (status) => {
      clearTimeout(timer);
      resolve({ status, output: output.split("\n") });
    });
  });
}
