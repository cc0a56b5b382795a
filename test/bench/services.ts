import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Figures } from "./rounds.ts";

export interface Service {
  url: string;
  process: ChildProcess;
}

/** Starts a server as a process of its own; it is up when it prints its first line. */
export async function startService(
  script: string,
  port: number,
  environment: Record<string, string>,
  nodeArguments: readonly string[] = [],
): Promise<Service> {
  const args = [...nodeArguments, script, ...(script.endsWith("main.js") ? ["serve"] : [])];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: String(port), ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = (): unknown => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  await once(createInterface(child.stdout!), "line");
  child.stdout!.resume();
  return { url: `http://127.0.0.1:${port}`, process: child };
}

/** Makes the contacts user0@example.com to user9999@example.com, which `events.lua` draws from. */
export async function makeContacts({ url }: Service, key: string): Promise<void> {
  let next = 0;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const work = async (): Promise<void> => {
    while (next < 10_000) {
      const body = JSON.stringify({ email: `user${next++}@example.com` });
      const response = await fetch(`${url}/api/v1/contacts`, { method: "POST", headers, body });
      if (response.status !== 201) throw new Error(`answered ${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

export const autocannon: string = join(import.meta.dirname, "node_modules/autocannon/autocannon.js");

export const hasWrk: boolean = spawnSync("wrk", ["--version"]).error === undefined;

export interface Load {
  key: string;
  connections: number;
  /** For `wrk`: `events.lua` of the folder that is given, or ours. */
  script: string;
  seconds?: number;
  /** What `events.lua` beside this file reads. */
  environment?: Record<string, string>;
}

/** Records events by `wrk` where present and by `autocannon` otherwise. Throws when a request failed. */
export async function load({ url }: Service, wanted: Load): Promise<Figures> {
  const { key, connections, script, seconds = secondsPerRound, environment = {} } = wanted;
  const output = hasWrk
    ? await outputOf("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "15s", "-s", script, url], {
        ...environment,
        KEY: key,
      })
    : await outputOf(process.execPath, [join(import.meta.dirname, "events.js")], {
        ...environment,
        KEY: key,
        URL: url,
        CONNECTIONS: String(connections),
        SECONDS: String(seconds),
      });
  const [, perSecond, p50, p99, errors] = /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(output) ?? [];
  if (errors !== "0") throw new Error(`${errors} requests failed at ${url}\n${output}`);
  return { "requests/s": Number(perSecond), "ms p50": Number(p50), "ms p99": Number(p99) };
}

const secondsPerRound = 5;

async function outputOf(program: string, args: string[], environment: Record<string, string>): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "ignore"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks).toString();
}
