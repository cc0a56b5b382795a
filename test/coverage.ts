/**
 * Prints what the run before has covered; exits 1 under 95 % of the lines or branches, or when the table is empty. Where there is
 * no database the MySQL adapter does not count, and the last line says so.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startDatabase } from "./support/database.ts";

const database = await startDatabase();
const root = join(import.meta.dirname, "../..");
const summary = join(root, "coverage/coverage-summary.json");
rmSync(summary, { force: true });
const left = "unavailable" in database ? ["--exclude", "adapters/mysql/**"] : [];
const c8 = join(root, "node_modules/c8/bin/c8.js");
const reporters = ["--reporter", "text", "--reporter", "json-summary"];
const { status } = spawnSync(
  process.execPath,
  [c8, "report", ...reporters, "--check-coverage", "--lines", "95", "--branches", "95", ...left],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;
// Where no file was measured c8 finds no line uncovered, and exits 0.
if (status === 0 && measuredLines() === 0) {
  console.error("Nothing was measured: run the tests under c8 first.");
  process.exitCode = 1;
}

function measuredLines(): number {
  const { total } = JSON.parse(readFileSync(summary, "utf8")) as { total: { lines: { total: number } } };
  return total.lines.total;
}
