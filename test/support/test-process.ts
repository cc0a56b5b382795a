/**
 * Runs test files one after another, each when the process that forked this one names it. Ends when that process disconnects,
 * at once if a test is still running.
 */
import { pathToFileURL } from "node:url";
import { processorSeconds } from "./processor.ts";

/** The result of a test file. */
export interface FileResult {
  passed: number;
  failed: number;
  seconds: number;
  /** Of the processor, in all processes: the test's database too, which waits for nobody. */
  processorSeconds: number;
  /** The seed of a random test that failed; `null` if none did. */
  seed: string | null;
}

/** uvu's suites, which return what failed as text, or `true`. */
type Run = () => Promise<[string | true, ...unknown[]]>;

const queue: [Run[]] = [[]];
// uvu prints colours in any case, and garbles them when it finds no terminal.
process.env["FORCE_COLOR"] = "1";
// uvu reads these when it is first loaded. It then leaves the suites in the queue instead of starting them.
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: queue, UVU_INDEX: 0 });
const { counts } = await import("./suite.ts");
const seed = process.env["SEED"];
if (seed !== undefined) (await import("fast-check")).default.configureGlobal({ seed: Number(seed) });

let running = false;
process.on("message", (file: string) => void runFile(file).then((result) => process.send!(result)));
process.on("disconnect", () => running && process.exit(1));
process.send!("ready");

async function runFile(file: string): Promise<FileResult> {
  running = true;
  const began = performance.now();
  const usedBefore = processorSeconds();
  const before = counts();
  let errors = "";
  let broken = 0;
  try {
    queue[0] = [];
    await import(pathToFileURL(file).href);
    if (counts().suites === before.suites) throw new Error("A test file must hold a suite.");
    for (const run of queue[0]) {
      const [failures] = await run();
      if (failures !== true) errors += `\n${failures}\n`;
    }
  } catch (error) {
    broken = 1;
    errors += `${error instanceof Error ? error.stack : String(error)}\n`;
  }
  process.stdout.write(errors);
  running = false;
  const passed = counts().passed - before.passed;
  return {
    passed,
    failed: counts().defined - before.defined - passed + broken,
    seconds: (performance.now() - began) / 1_000,
    processorSeconds: processorSeconds() - usedBefore,
    seed: /\bseed: (-?\d+)/.exec(errors)?.[1] ?? null,
  };
}
