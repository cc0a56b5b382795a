/**
 * `npm run long -- shortcuts`: tests of each shortcut with that shortcut off, in a copy of `dist` where its file never takes it.
 * `npm test` runs them with it on. Ends with `N passed, N failed`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { shortcuts, type Shortcut } from "./shortcuts.ts";

const root = join(import.meta.dirname, "../../..");
const copy = mkdtempSync(join(tmpdir(), "whodid-shortcuts-"));
for (const name of readdirSync(root)) if (name !== "dist") symlinkSync(join(root, name), join(copy, name));
cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });

let passed = 0;
let failed = 0;
try {
  for (const shortcut of shortcuts) {
    const counted = await runWithout(shortcut);
    console.log(`without ${shortcut.file}: ${counted.passed} passed, ${counted.failed} failed`);
    passed += counted.passed;
    failed += counted.failed;
  }
} finally {
  rmSync(copy, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;

/** The numbers of tests that passed and failed without the shortcut. A run that could not count is one failure. */
async function runWithout({ file, off, tests }: Shortcut): Promise<{ passed: number; failed: number }> {
  const compiled = join("dist", file.replace(/\.ts$/, ".js"));
  writeFileSync(join(copy, compiled), off);
  try {
    const [ours, others] = [await namesIn(join(root, compiled)), await namesIn(join(copy, compiled))];
    if (ours !== others) throw new Error(`${file} exports ${ours}, but off ${others}`);
    const { stdout, stderr } = spawnSync(process.execPath, [join(copy, "dist/test/run.js"), ...tests], {
      encoding: "utf8",
      maxBuffer: Infinity,
    });
    const [, passes, failures] = /^(\d+) passed, (\d+) failed$/m.exec(stdout) ?? [];
    if (failures !== "0") console.error(stdout + stderr);
    return failures === undefined ? { passed: 0, failed: 1 } : { passed: Number(passes), failed: Number(failures) };
  } finally {
    cpSync(join(root, compiled), join(copy, compiled));
  }
}

async function namesIn(path: string): Promise<string> {
  return Object.keys((await import(pathToFileURL(path).href)) as object).join(", ");
}
