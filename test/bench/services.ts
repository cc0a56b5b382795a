import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Service {
  url: string;
  process: ChildProcess;
}

/** Starts a server as a process of its own; it is up when it prints its first line. */
export async function startService(
  script: string,
  port: number,
  environment: Record<string, string>,
): Promise<Service> {
  const args = script.endsWith("main.js") ? [script, "serve"] : [script];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: String(port), ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
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

export const autocannon: string = join(import.meta.dirname, "../../../node_modules/autocannon/autocannon.js");

export const hasWrk: boolean = spawnSync("wrk", ["--version"]).error === undefined;

/** Requests a second that record events, by `wrk` where present and by `autocannon` otherwise. Throws when one failed. */
export async function load({ url }: Service, key: string, connections: number, script: string): Promise<number> {
  return hasWrk ? loadByWrk(url, key, connections, script) : loadByAutocannon(url, key, connections);
}

const secondsPerRound = 5;

async function loadByWrk(url: string, key: string, connections: number, script: string): Promise<number> {
  const args = ["-t1", `-c${connections}`, `-d${secondsPerRound}s`, "-s", script, url];
  const output = await outputOf("wrk", args, { KEY: key });
  const [, perSecond, , , errors] = /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(output) ?? [];
  if (errors !== "0") throw new Error(`wrk: ${errors} errors\n${output}`);
  return Number(perSecond);
}

async function loadByAutocannon(url: string, key: string, connections: number): Promise<number> {
  const body =
    '{"externalId":"user1@example.com","eventKey":"page_viewed","properties":{"plan":"pro","amount":42.5,"trial":false}}';
  const headers = ["-H", `Authorization=Bearer ${key}`, "-H", "Content-Type=application/json"];
  const args = [
    autocannon,
    "-j",
    "-c",
    String(connections),
    "-d",
    String(secondsPerRound),
    "-m",
    "POST",
    ...headers,
    "-b",
    body,
  ];
  const result = JSON.parse(await outputOf(process.execPath, [...args, `${url}/api/v1/events`], {})) as {
    errors: number;
    non2xx: number;
    requests: { average: number };
  };
  if (result.errors + result.non2xx > 0)
    throw new Error(`autocannon: ${result.errors} errors, ${result.non2xx} refused`);
  return result.requests.average;
}

async function outputOf(program: string, args: string[], environment: Record<string, string>): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "ignore"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks).toString();
}
