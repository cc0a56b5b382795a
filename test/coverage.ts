/** What a run of the tests has covered. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Node's measurements, one file for each process. */
export const coverageFolder: string = join(root, "coverage/tmp");

/**
 * Prints what the run has covered. False under 95 % of the lines or branches, and when nothing was measured. Where there is no
 * database, the MySQL adapter does not count.
 */
export function isCovered(hasDatabase: boolean): boolean {
  const summary = join(root, "coverage/coverage-summary.json");
  rmSync(summary, { force: true });
  const left = hasDatabase ? [] : ["--exclude", "adapters/mysql/**"];
  const c8 = join(root, "node_modules/c8/bin/c8.js");
  const reporters = ["--reporter", "text", "--reporter", "json-summary"];
  const { status } = spawnSync(
    process.execPath,
    [c8, "report", ...reporters, "--check-coverage", "--lines", "95", "--branches", "95", ...left],
    { cwd: root, stdio: "inherit", env: { ...process.env, NODE_V8_COVERAGE: "" } },
  );
  // Where no file was measured c8 finds no line uncovered, and exits 0.
  if (status === 0 && measuredLines(summary) === 0) console.error("Nothing was measured.");
  return status === 0 && measuredLines(summary) > 0;
}

function measuredLines(summary: string): number {
  const { total } = JSON.parse(readFileSync(summary, "utf8")) as { total: { lines: { total: number } } };
  return total.lines.total;
}
