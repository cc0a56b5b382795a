import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { askerAt, type Asker } from "./raw-connection.ts";
import { within } from "./within.ts";

const program = join(import.meta.dirname, "../../server/main.js");

/** Starting takes a fifth of a second; a machine that does other things takes longer. */
const patienceMs = 60_000;

export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `whodid` to its end, with these variables and no others of ours. The shell runs the text before. */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string> = {},
  before = "",
): Promise<Finished> {
  const { child, output } = spawnWhodid(args, environment, "ignore", before);
  try {
    const [exitCode] = (await within(patienceMs, `whodid ${args.join(" ")} ending`, once(child, "close"))) as [number];
    return { exitCode, ...output };
  } finally {
    child.kill("SIGKILL");
  }
}

/** A command that reads standard input, and is under way. */
export interface Running {
  child: ChildProcess;
  /** What it has written so far. */
  output: { stdout: string; stderr: string };
  /** Waits for its end; `null` for one that was killed. */
  ended(): Promise<Finished>;
}

/** Starts `whodid` with an open standard input. Ending it is the caller's. */
export function startCommand(args: readonly string[], environment: Record<string, string>): Running {
  const { child, output } = spawnWhodid(args, environment, "pipe");
  // A process that is killed does not read what is still being written to it.
  child.stdin!.on("error", () => {});
  const closed = once(child, "close");
  return {
    child,
    output,
    async ended() {
      const [exitCode] = (await within(patienceMs * 3, `whodid ${args.join(" ")} ending`, closed)) as [number | null];
      return { exitCode, ...output };
    },
  };
}

export interface ServerProcess extends Asker {
  child: ChildProcess;
  port: number;
  /** The one it printed, or else the `API_KEY` it was given. */
  key: string;
  /** What it has written so far. */
  output: { stdout: string; stderr: string };
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** Runs with `whodid serve` on a free port, and ends the process whatever happens. */
export async function withServer(
  run: (server: ServerProcess) => Promise<void>,
  environment: Record<string, string> = {},
  before = "",
): Promise<void> {
  const server = await startServer(environment, before);
  try {
    await within(patienceMs * 2, "the test", run(server));
  } finally {
    server.child.kill("SIGKILL");
    server.disconnect();
  }
}

/**
 * Starts `whodid serve`, on a free port unless `PORT` names one. The shell runs the text before. The caller ends the process and
 * disconnects.
 */
export async function startServer(environment: Record<string, string>, before = ""): Promise<ServerProcess> {
  const { child, output } = spawnWhodid(["serve"], { PORT: "0", ...environment }, "ignore", before);
  try {
    await within(patienceMs, "whodid serve starting", startOf(child, output));
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  const port = Number(/^whodid answers at http:\/\/\S+:(\d+)\/api\/v1$/m.exec(output.stdout)?.[1]);
  const key = environment["API_KEY"] ?? /sk_\S{43}/.exec(output.stdout)?.[0] ?? "none was printed";
  return {
    ...askerAt(port, key),
    child,
    port,
    key,
    output,
    async stop(signal = "SIGTERM") {
      const closed = once(child, "close");
      child.kill(signal);
      const [exitCode] = (await within(patienceMs, "whodid serve ending", closed)) as [number | null];
      return { exitCode, ...output };
    },
  };
}

function spawnWhodid(
  args: readonly string[],
  environment: Record<string, string>,
  stdin: "ignore" | "pipe" = "ignore",
  before = "",
): { child: ChildProcess; output: { stdout: string; stderr: string } } {
  const { PATH = "", HOME = "", NODE_V8_COVERAGE } = process.env;
  const command = [process.execPath, program, ...args];
  const [first = "", ...others] = before === "" ? command : ["sh", "-c", `${before}; exec "$0" "$@"`, ...command];
  const child = spawn(first, others, {
    env: { PATH, HOME, ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }), ...environment },
    stdio: [stdin, "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return { child, output };
}

/** Resolves with the log line of the start; rejects when the process ends before it. */
async function startOf(child: ChildProcess, output: { stdout: string; stderr: string }): Promise<void> {
  while (!output.stderr.includes('"event":"start"')) {
    if (child.exitCode !== null) throw new Error(`whodid serve ended: ${output.stderr}`);
    await Promise.race([once(child.stderr!, "data"), once(child, "close")]);
  }
  // A whole turn of the loop reads what it printed before that.
  for (let n = 0; n < 2; n++) await new Promise(setImmediate);
}
