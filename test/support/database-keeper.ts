/**
 * A process of its own that runs one database server for the tests and outlives them by a moment: when the channel to them
 * closes, however they ended, it kills the server and removes its folder. It is the server's parent, so it learns of its
 * exit at once and never signals a process id that has become another's.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { argumentsOf, type ServerProgram } from "./database-program.ts";
import { homeOf, keepsLogBack, mountDisk, mountMemory, unmountDisk } from "./disk.ts";
import { freePort, greets } from "./loopback.ts";

/** The server that is to run. */
export interface ServerPlan {
  program: ServerProgram;
  serverArguments: readonly string[];
  /** The size of a disk of its own; `null` for a folder of the system's. */
  diskMegabytes: number | null;
  /** The address that it listens on. */
  host: string;
  /** Whether its tables and accounts come from the cluster that it joins, at each start. */
  joins: boolean;
  user: string;
  /** Letters and digits only. */
  password: string;
}

/** What the tests' process asks for, one at a time; each order is answered once. */
export type Order = { create: ServerPlan } | "start" | "shut down" | "kill";

/** The state after an order, or why it could not be carried out. */
export type Answer = { pid: number | null; port: number } | { error: string };

const startTimeoutMs = 180_000;
const shutdownTimeoutMs = 20_000;

let plan: ServerPlan | undefined;
let folder = "";
let mounted = false;
let port = 0;
let server: ChildProcess | undefined;
let ending = false;

process.on("message", (order: Order) => {
  carryOut(order).then(
    () => answer({ pid: server?.pid ?? null, port }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  );
});
for (const event of ["disconnect", "SIGINT", "SIGTERM", "SIGHUP"]) process.on(event, () => void end());

async function carryOut(order: Order): Promise<void> {
  if (order === "start") return start();
  if (order === "kill") return stopServer("SIGKILL");
  if (order === "shut down") return stopServer("SIGTERM");
  return create(order.create);
}

function answer(message: Answer): void {
  if (process.connected) process.send?.(message);
}

async function end(): Promise<void> {
  ending = true;
  await stopServer("SIGKILL");
  if (mounted) unmountDisk(folder);
  if (folder !== "") rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.exit(0);
}

async function create(ordered: ServerPlan): Promise<void> {
  plan = ordered;
  folder = mkdtempSync(join(homeOf(ordered.serverArguments), "whodid-database-"));
  if (ordered.diskMegabytes !== null) {
    mountDisk(folder, ordered.diskMegabytes);
    mounted = true;
  } else if (ordered.serverArguments.includes(keepsLogBack)) {
    mounted = mountMemory(folder);
  }
  for (const name of ["data", "tmp"]) mkdirSync(join(folder, name));
  port = await freePort(ordered.host);
  // For the system's rsync, which brings the tables.
  if (ordered.joins) chmodSync(folder, 0o711);
  else await makeTables(ordered);
}

async function makeTables({ program, user, password }: ServerPlan): Promise<void> {
  // Root comes in by the socket alone, which nobody else reaches: a root without password on the port of a server that the
  // system's root runs would read files for anybody.
  const opening = "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = 'root';\n";
  const initialize =
    program.systemTables === null
      ? run(["--initialize-insecure"])
      : run(["--bootstrap", "--max-allowed-packet=8M"], opening + program.systemTables.map(text).join("\n"));
  const [code] = (await once(initialize, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program.path} did not make its tables:\n${lastLines()}`);
  const account = `'${user}'@'127.0.0.1'`;
  const accounts = [
    `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO ${account} WITH GRANT OPTION;`,
  ];
  writeFileSync(join(folder, "accounts.sql"), accounts.map((statement) => `${statement}\n`).join(""));
}

async function start(): Promise<void> {
  if (plan === undefined || server !== undefined) throw new Error("It runs already.");
  const { host, joins } = plan;
  const socket = join(folder, "socket");
  const network = [`--bind-address=${host}`, `--port=${port}`, `--socket=${socket}`];
  const files = [
    `--pid-file=${join(folder, "pid")}`,
    ...(joins ? [] : [`--init-file=${join(folder, "accounts.sql")}`]),
  ];
  // An rsync that root's server starts writes as nobody.
  if (joins && process.getuid?.() === 0) execFileSync("chown", ["-R", "nobody", join(folder, "data")]);
  const started = run([...network, ...files, ...plan.serverArguments]);
  const deadline = Date.now() + startTimeoutMs;
  // Asked on its socket: on the port somebody else's server might answer.
  while (!(await greets(socket))) {
    if (Date.now() > deadline) started.kill("SIGKILL");
    if (server !== started) throw new Error(`${plan.program.path} did not start:\n${lastLines()}`);
    await sleep(10);
  }
}

/** Runs the program on the folder; `server` until it exits. */
function run(runArguments: string[], input = ""): ChildProcess {
  if (plan === undefined || ending) throw new Error("It is being removed.");
  const log = openSync(join(folder, "log"), "a");
  const { program } = plan;
  const [file, ...before] = [...program.loader, program.path];
  const child = spawn(file!, [...before, ...argumentsOf(program, folder), ...runArguments], {
    env: { ...process.env, ...program.environment },
    stdio: ["pipe", log, log],
  });
  closeSync(log);
  server = child;
  const gone = (): void => void (server = undefined);
  child.once("exit", gone).once("error", gone);
  // A program that fails at once does not read its input; its exit code tells.
  child.stdin?.on("error", () => {}).end(input);
  return child;
}

async function stopServer(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (server === undefined) return;
  const stopping = server;
  const exited = new Promise((resolve) => stopping.once("exit", resolve).once("error", resolve));
  stopping.kill(signal);
  // A frozen server does not see SIGTERM.
  stopping.kill("SIGCONT");
  const impatience = setTimeout(() => stopping.kill("SIGKILL"), shutdownTimeoutMs);
  await exited;
  clearTimeout(impatience);
}

function lastLines(): string {
  return text(join(folder, "log")).trimEnd().split("\n").slice(-20).join("\n");
}

function text(path: string): string {
  return readFileSync(path, "utf8");
}
