import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { within } from "../../support/within.ts";
import type { WorkerPlan } from "./worker-process.ts";

/** What every worker is started with, but for its name. */
export type WorkerStart = Omit<WorkerPlan, "name">;

/** Processes that call at random. */
export interface Workers {
  count: number;
  /** Kills the worker with SIGKILL, and starts another one in its place. */
  replace(index: number): Promise<void>;
  /** Stops the worker for so long: what it has locked stays locked. */
  freeze(index: number, milliseconds: number): Promise<void>;
  /** Lets each finish the calls that are under way. Resolves with what went wrong in their processes. */
  end(): Promise<string[]>;
  /** Kills those that are left. */
  kill(): void;
}

/** Much longer than any call takes when nothing is broken. */
const patienceMs = 90_000;

export function startWorkers(starts: readonly WorkerStart[]): Workers {
  const faults: string[] = [];
  const generations = starts.map(() => 0);
  const children = starts.map((_, index) => start(index));

  function start(index: number): ChildProcess {
    const file = join(import.meta.dirname, `worker-process${extname(import.meta.filename)}`);
    const child = fork(file, { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] });
    const name = `${index}.${generations[index]!++}`;
    let errors = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(-2_000)));
    child.on("exit", (code) => {
      if (code !== null && code !== 0) faults.push(`worker ${name} ended with ${code}: ${errors}`);
    });
    // One that ends at once cannot be sent anything; its exit tells.
    child.on("error", () => {});
    child.send({ ...starts[index]!, name } satisfies WorkerPlan);
    return child;
  }

  async function endOne(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.send("end");
    await within(patienceMs, "a worker finishing its calls", exited).catch((error: unknown) => {
      faults.push(String(error));
      child.kill("SIGKILL");
    });
  }

  return {
    count: starts.length,
    async replace(index) {
      const child = children[index]!;
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      }
      children[index] = start(index);
    },
    async freeze(index, milliseconds) {
      const child = children[index]!;
      child.kill("SIGSTOP");
      await sleep(milliseconds);
      child.kill("SIGCONT");
    },
    async end() {
      await Promise.all(children.map(endOne));
      return faults;
    },
    kill: () => children.forEach((child) => child.kill("SIGKILL")),
  };
}
