/**
 * Runs the compiled tests in one process: `node dist/test/run.js`, or those whose file name contains an argument:
 * `node dist/test/run.js events`. Exits 1 unless there were tests and all of them passed.
 */
import { parse } from "uvu/parse";
import { run } from "uvu/run";

// uvu prints colours whatever it is told, and garbles them when it finds none.
process.env["FORCE_COLOR"] = "1";
// Read when uvu is first loaded: the files are collected before any suite starts.
Object.assign(globalThis, { UVU_DEFER: 1 });
const { suiteCount } = await import("./support/suite.ts");

const wanted = process.argv.slice(2);
const { suites } = await parse(import.meta.dirname, "\\.test\\.js$");
const chosen = suites.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const watchdog = setTimeout(() => {
  console.error("The tests did not end within 20 minutes.");
  process.exit(1);
}, 20 * 60_000);
await run(chosen);
clearTimeout(watchdog);
if (chosen.length === 0 || suiteCount() < chosen.length) {
  console.error(`${chosen.length} test files, ${suiteCount()} suites: every file must hold one.`);
  process.exitCode = 1;
}
