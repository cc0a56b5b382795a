import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { extname, join } from "node:path";
import type { Answer, Order } from "./database-keeper.ts";
import type { ServerProgram } from "./database-program.ts";

/** A running database server. */
export interface Server {
  /** With user and password, without a schema. */
  address: URL;
  /** Whether nothing of it outlives `stop`. */
  throwaway: boolean;
  /** `null` while it is down or when it is not ours. */
  pid(): number | null;
  stop(): Promise<void>;
  kill9(): Promise<void>;
  restart(): Promise<void>;
}

/** Somebody's server, which stays as it is; its schemas apart. */
export function givenServer(url: string): Server {
  const address = new URL(url);
  address.pathname = "/";
  const refuse = (): Promise<void> => Promise.reject(new Error("The server at MYSQL_URL is not ours to stop."));
  return { address, throwaway: false, pid: () => null, stop: () => Promise.resolve(), kill9: refuse, restart: refuse };
}

/** What a throwaway server is beside its program and its arguments. */
export interface ServerOptions {
  /** The size of a disk of its own; a folder of the system's by default. */
  diskMegabytes?: number | null;
  /** The address that it listens on: 127.0.0.1 by default. */
  host?: string;
  /** A server of the cluster that it joins, at each start: its tables and accounts come from there. */
  joins?: Server | null;
}

/** Starts a server with a new, empty data folder. */
export async function startThrowawayServer(
  program: ServerProgram,
  serverArguments: readonly string[],
  { diskMegabytes = null, host = "127.0.0.1", joins = null }: ServerOptions = {},
): Promise<Server> {
  const user = "whodid";
  const password = joins?.address.password ?? randomUUID().replaceAll("-", "");
  const keeper = startKeeper();
  let pid: number | null = null;
  const order = async (wanted: Order): Promise<number> => {
    const answer = await ask(keeper, wanted);
    if ("error" in answer) throw new Error(answer.error);
    pid = answer.pid;
    return answer.port;
  };
  const stop = async (): Promise<void> => {
    pid = null;
    if (!keeper.connected) return;
    keeper.ref();
    const exited = once(keeper, "exit");
    keeper.disconnect();
    await exited;
  };
  try {
    const plan = { program, serverArguments, diskMegabytes, host, joins: joins !== null, user, password };
    await order({ create: plan });
    const port = await order("start");
    return {
      address: new URL(`mysql://${user}:${password}@${host}:${port}/`),
      throwaway: true,
      pid: () => pid,
      stop,
      kill9: async () => void (await order("kill")),
      restart: async () => {
        await order("shut down");
        await order("start");
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startKeeper(): ChildProcess {
  const file = join(import.meta.dirname, `database-keeper${extname(import.meta.filename)}`);
  const keeper = fork(file, {
    // In a session of its own, a Ctrl-C in the terminal reaches neither it nor the server before us.
    detached: true,
    // With our output it would hold a pipe open that `npm test | tee` waits for.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Neither a debugger's port nor a coverage file is its to have.
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: "", NODE_V8_COVERAGE: "" },
  });
  release(keeper);
  return keeper;
}

async function ask(keeper: ChildProcess, order: Order): Promise<Answer> {
  const settled = new AbortController();
  const { signal } = settled;
  keeper.ref();
  keeper.channel?.ref();
  try {
    if (!keeper.connected) throw new Error("The database is stopped.");
    keeper.send(order);
    const [answer] = (await Promise.race([
      once(keeper, "message", { signal }),
      once(keeper, "exit", { signal }).then(() => [{ error: "The database's keeper ended." }]),
    ])) as [Answer];
    return answer;
  } finally {
    settled.abort();
    release(keeper);
  }
}

/** While nothing is asked of it, the keeper does not keep this process from ending. */
function release(keeper: ChildProcess): void {
  keeper.unref();
  keeper.channel?.unref();
}
