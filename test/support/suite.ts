import { suite as uvuSuite } from "uvu";

/** A suite's name, and how many of its tests run at a time: more than one where they wait or start processes, and share nothing. */
export type SuiteName = string | { name: string; atOnce: number };

export type Test = (name: string, run: () => void | Promise<void>) => void;

let suites = 0;
let defined = 0;
let passed = 0;

/**
 * The only way to uvu from our tests. Bare uvu exits 0 when a hook throws, `.run()` is forgotten, nothing matched, `.only` is
 * left behind, or a test throws `null`: here are no hooks and no `.only`, a suite always runs, an empty one is refused, and a
 * process that ran no test or left one unfinished exits 1.
 * Tests that run at once are reported in their order all the same.
 */
export function suite(suiteName: SuiteName, define: (test: Test) => void): void {
  const { name, atOnce } = typeof suiteName === "string" ? { name: suiteName, atOnce: 1 } : suiteName;
  const tests = uvuSuite(name);
  const names = new Set<string>();
  const runs: (() => void | Promise<void>)[] = [];
  const started: Promise<void>[] = [];
  const startNext = (): void => {
    const run = runs[started.length];
    if (run === undefined) return;
    const ending = Promise.resolve().then(run).finally(startNext);
    // Its test awaits it too, but may not have begun to when it fails.
    ending.catch(() => {});
    started.push(ending);
  };
  define((testName, run) => {
    if (names.has(testName)) throw new Error(`${name}: two tests are named "${testName}"`);
    names.add(testName);
    const index = runs.push(run) - 1;
    tests(testName, async () => {
      try {
        if (index === 0) for (let n = 0; n < atOnce; n++) startNext();
        await started[index];
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

/**
 * Defines tests by a function that runs each on something that it opens, such as a server. The function takes all that follows
 * the name.
 */
export function testsOn<Given extends unknown[]>(
  define: Test,
  runOn: (...given: Given) => Promise<void>,
): (name: string, ...given: Given) => void {
  return (name, ...given) => define(name, () => runOn(...given));
}

/** Accounts for a suite that cannot run on this machine. Whoever calls this says so, loudly. */
export function leaveOut(): void {
  suites++;
}

/** The suites and tests of this process so far. */
export function counts(): { suites: number; defined: number; passed: number } {
  return { suites, defined, passed };
}

process.on("exit", () => {
  // A benchmark, which shares some of the tests' support.
  if (suites === 0) return;
  console.log(`${passed} passed, ${defined - passed} failed`);
  if (passed === 0 || passed < defined) process.exitCode = 1;
});
