import { suite as uvuSuite } from "uvu";

export type Test = (name: string, run: () => void | Promise<void>) => void;

let suites = 0;
let defined = 0;
let passed = 0;

/**
 * The only way to uvu from our tests. Bare uvu exits 0 when a hook throws, `.run()` is forgotten, nothing matched, `.only` is
 * left behind, or a test throws `null`: here are no hooks and no `.only`, a suite always runs, an empty one is refused, and a
 * process that ran no test or left one unfinished exits 1.
 */
export function suite(name: string, define: (test: Test) => void): void {
  const tests = uvuSuite(name);
  const names = new Set<string>();
  define((testName, run) => {
    if (names.has(testName)) throw new Error(`${name}: two tests are named "${testName}"`);
    names.add(testName);
    tests(testName, async () => {
      try {
        await run();
        passed++;
      } catch (error) {
        throw error instanceof Error ? error : new Error(`the test threw ${String(error)}`);
      }
    });
  });
  if (names.size === 0) throw new Error(`${name}: no tests`);
  defined += names.size;
  suites++;
  tests.run();
}

/** Accounts for a suite that cannot run on this machine. Whoever calls this says so, loudly. */
export function leaveOut(): void {
  suites++;
}

export function suiteCount(): number {
  return suites;
}

process.on("exit", () => {
  // A benchmark, which shares some of the tests' support.
  if (suites === 0) return;
  console.log(`${passed} passed, ${defined - passed} failed`);
  if (passed === 0 || passed < defined) process.exitCode = 1;
});
