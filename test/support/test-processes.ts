import { fork } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { extname, join } from "node:path";
import { temporaryFolder } from "./disk.ts";
import type { FileResult } from "./test-process.ts";

/** Beyond this a process that has run its files waits for something that a test left behind. */
const longestEndMs = 2 * 60_000;

/** The folder of the compiled tests, from which the files are named. */
export const tests: string = join(import.meta.dirname, "..");

/** A test file, and its result. */
export interface Ran extends FileResult {
  file: string;
}

/** The results of test files, and each different line in which a process said what it could not test. */
export interface AllRan {
  files: Ran[];
  notes: string[];
}

/**
 * Runs the files in as many processes as are given, in their order; a process takes the next file when it has run one.
 * Prints the output of each file together. A process that dies, or still runs at the deadline, is a failure of its file.
 */
export async function runFiles(files: readonly string[], processes: number, deadline: number): Promise<AllRan> {
  const waiting = [...files];
  const ran: Ran[] = [];
  const notes = new Set<string>();
  const folder = mkdtempSync(join(temporaryFolder(), "whodid-output-"));
  const count = Math.min(processes, files.length);
  const runOne = async (output: string): Promise<void> => {
    while (waiting.length > 0 && Date.now() < deadline) await runProcess(waiting, ran, notes, output, deadline);
  };
  await Promise.all(Array.from({ length: count }, (_, index) => runOne(join(folder, String(index)))));
  rmSync(folder, { recursive: true });
  for (const file of waiting) ran.push(failureOf(file, "did not begin"));
  return { files: ran, notes: [...notes] };
}

/** Forks a process, and gives it files until none waits or it ends. */
async function runProcess(
  waiting: string[],
  ran: Ran[],
  notes: Set<string>,
  output: string,
  deadline: number,
): Promise<void> {
  // A file, not a pipe: it holds every line that came before a message, and what a dying process wrote.
  const descriptor = openSync(output, "a");
  const child = fork(join(import.meta.dirname, `test-process${extname(import.meta.filename)}`), {
    stdio: ["ignore", descriptor, descriptor, "ipc"],
  });
  closeSync(descriptor);
  let printed = readFileSync(output, "utf8").length;
  let failed = false;
  const newOutput = (): string => {
    const text = readFileSync(output, "utf8");
    const added = text.slice(printed);
    printed = text.length;
    return added;
  };
  const killAfter = (ms: number): NodeJS.Timeout => setTimeout(() => child.kill("SIGKILL"), ms);
  let timer = killAfter(deadline - Date.now());
  let file: string | undefined;
  child.on("message", (message: FileResult | "ready") => {
    if (message !== "ready" && file !== undefined) {
      ran.push({ file, ...message });
      failed ||= message.failed > 0;
      console.log(`${file} (${message.seconds.toFixed(1)} s)\n${newOutput()}`);
    }
    file = waiting.shift();
    if (file === undefined) {
      child.disconnect();
      clearTimeout(timer);
      timer = killAfter(longestEndMs);
    } else child.send(join(tests, file));
  });
  const ending = await new Promise<string>((resolve) =>
    child.on("exit", (code, signal) => resolve(signal ?? String(code))),
  );
  clearTimeout(timer);
  const rest = newOutput();
  for (const [note] of rest.matchAll(/^[A-Z0-9. ]+ NOT TESTED: .*$/gm)) notes.add(note);
  if (file !== undefined) ran.push(failureOf(file, `its process ended with ${ending}`, rest));
  else if (ending !== "0" && !failed)
    ran.push(failureOf("after the last file", `the process ended with ${ending}`, rest));
}

function failureOf(file: string, what: string, output = ""): Ran {
  console.log(`${file}: ${what}\n${output}`);
  return { file, passed: 0, failed: 1, seconds: 0, processorSeconds: 0, seed: null };
}
