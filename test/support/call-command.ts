import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finished } from "./server-process.ts";
import { within } from "./within.ts";

interface Call {
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  output: { stdout: string; stderr: string };
  exit: (code?: number) => void;
}

const program = pathToFileURL(join(import.meta.dirname, "../../server/main.js"));
const calls = new AsyncLocalStorage<Call>();
let count = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `whodid` to its end as `runCommand` does, but in this process, in a tenth of the time: for what no process of its own
 * decides. One call after another, because they share the exit code.
 */
export function callCommand(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Finished> {
  if (count === 0) give();
  const called = last.then(() => within(60_000, `whodid ${args.join(" ")} ending`, call(args, environment)));
  last = called.catch(() => {});
  return called;
}

/** Starts the server with a setting that must stop it: with exit code 1, nothing on standard output, and one line that matches. */
export async function assertRefusesToStart(environment: Record<string, string>, line: RegExp): Promise<void> {
  const { exitCode, stdout, stderr } = await callCommand(["serve"], { PORT: "0", ...environment });
  assert.match(stderr, /^whodid: .+\n$/);
  assert.match(stderr, line);
  assert.deepEqual([exitCode, stdout], [1, ""]);
}

async function call(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Finished> {
  const emitters: NodeJS.EventEmitter[] = [process, process.stdout, process.stderr];
  const before = emitters.map((emitter) => listenersOf(emitter));
  const output = { stdout: "", stderr: "" };
  try {
    return await new Promise<Finished>((resolve, reject) => {
      const exit = (code = Number(process.exitCode ?? 0)): void => resolve({ exitCode: code, ...output });
      // Another query is another module, which runs anew.
      const run = (): Promise<unknown> => import(`${program.href}?${++count}`);
      calls.run({ args, environment, output, exit }, run).catch(reject);
    });
  } finally {
    process.exitCode = undefined;
    for (const [index, emitter] of emitters.entries())
      for (const [name, listener] of listenersOf(emitter))
        if (!before[index]!.some((known) => known[1] === listener)) emitter.removeListener(name, listener);
  }
}

function listenersOf(emitter: NodeJS.EventEmitter): [string | symbol, (...args: unknown[]) => void][] {
  return emitter.eventNames().flatMap((name) => emitter.rawListeners(name).map((each) => [name, each] as never));
}

/** Gives `whodid` its own arguments, variables and streams, and everybody else those of the process. */
function give(): void {
  const { argv, env } = process;
  Object.defineProperties(process, {
    argv: { get: () => (calls.getStore() ? [...argv.slice(0, 2), ...calls.getStore()!.args] : argv) },
    env: { get: () => calls.getStore()?.environment ?? env },
  });
  const exit = process.exit.bind(process);
  process.exit = ((code?: number) => (calls.getStore()?.exit ?? exit)(code)) as typeof process.exit;
  for (const name of ["stdout", "stderr"] as const) {
    const stream = process[name];
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
    stream.write = ((text: string, ...given: unknown[]) => {
      const output = calls.getStore()?.output;
      if (!output) return write(text, ...given);
      output[name] += text;
      const written = given.at(-1);
      if (typeof written === "function") written();
      return true;
    }) as typeof stream.write;
  }
}
