import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, RowDataPacket } from "mysql2/promise";
import { within } from "../../support/within.ts";
import { concurrencies, handledTables, roles } from "./roles.ts";

/** For what takes some seconds on a machine that does nothing else. */
export const patienceMs = 120_000;

/** The processes of the run, in the order of `roles`. */
export interface Processes {
  /** Kills a process, and starts another in its place. */
  replace(index: number): Promise<void>;
  /** Stops a consumer before a commit, until another consumer has handled the same change. Then continues it. */
  stopUntilTakenOver(index: number, pool: Pool): Promise<void>;
  /** Kills the processes of the role for good. */
  kill(role?: (typeof roles)[number]): Promise<void>;
}

/** Starts the processes. They use the URLs in turn. */
export function startProcesses(urls: readonly string[]): Processes {
  const program = join(import.meta.dirname, `process${extname(import.meta.filename)}`);
  const start = (index: number): ChildProcess => {
    const args = [urls[index % urls.length]!, roles[index]!, String(concurrencies[index % concurrencies.length])];
    return fork(program, args, { execArgv: [] });
  };
  const children = roles.map((_, index) => start(index));
  return {
    async replace(index) {
      await kill(children[index]!);
      children[index] = start(index);
    },
    async stopUntilTakenOver(index, pool) {
      const child = children[index]!;
      const stopped = once(child, "message") as Promise<[string]>;
      child.send("stop");
      const [changeId] = await within(patienceMs, "a consumer stopping in a handler", stopped);
      const sql = `SELECT 1 FROM ${handledTables.reward} WHERE change_id = ? AND process_id <> ?`;
      const takenOver = async (): Promise<void> => {
        while ((await pool.query<RowDataPacket[]>(sql, [changeId, child.pid]))[0].length === 0) await sleep(100);
      };
      await within(patienceMs, "another consumer taking over", takenOver());
      const continued = once(child, "message");
      child.kill("SIGCONT");
      await within(patienceMs, "the stopped consumer going on", continued);
    },
    async kill(role) {
      await Promise.all(children.filter((_, index) => role === undefined || roles[index] === role).map(kill));
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
