import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { generateApiKey } from "../../lib/api-keys.ts";
import type { Database } from "../support/database.ts";
import { freePort } from "../support/loopback.ts";
import { countBy } from "../support/queries.ts";
import { watchCores } from "./cores.ts";
import { compareInRounds, type Figures } from "./rounds.ts";

export interface Service {
  url: string;
  process: ChildProcess;
}

export const checkout: string = join(import.meta.dirname, "../../..");

/** Where another version is checked out and built, to be measured beside this one. */
export const before: string | undefined = process.env["BEFORE"];

/** For all services alike. */
export const key: string = generateApiKey();

export const autocannon: string = join(import.meta.dirname, "node_modules/autocannon/autocannon.js");

export const hasWrk: boolean = spawnSync("wrk", ["--version"]).error === undefined;

/** Starts a server as a process of its own; it is up when it prints its first line. */
export async function startService(script: string, environment: Record<string, string> = {}): Promise<Service> {
  const port = await freePort();
  const args = [script, ...(script.endsWith("main.js") ? ["serve"] : [])];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: String(port), API_KEY: key, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = (): unknown => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  await once(createInterface(child.stdout!), "line");
  child.stdout!.resume();
  return { url: `http://127.0.0.1:${port}`, process: child };
}

interface WhodidOptions {
  environment?: Record<string, string>;
  /** The folder of the checkout that is started. */
  of?: string;
}

/** The server on MySQL, on memory with an empty URL: authenticated, validated, limited beyond what is reached. */
export function startWhodid(databaseUrl: string, { environment, of = checkout }: WhodidOptions = {}): Promise<Service> {
  const settings = {
    RATE_LIMIT: "1000000000",
    DATABASE_URL: databaseUrl,
    ...environment,
    TABLE_PREFIX: "",
    PROVISION: "",
  };
  return startService(join(of, "dist/server/main.js"), settings);
}

/** The same, with the contacts that `events.lua` draws from. */
export async function startWhodidWithContacts(databaseUrl: string, options: WhodidOptions = {}): Promise<Service> {
  const service = await startWhodid(databaseUrl, options);
  await makeContacts(service);
  return service;
}

/** A service of the folder that is given. Unchanged, but copied to where `fastify` and `mysql2` are found: beside our packages. */
export async function startReference(
  folder: string,
  name: string,
  environment: Record<string, string> = {},
): Promise<Service> {
  const place = join(checkout, "test/bench/node_modules/.cache");
  await mkdir(place, { recursive: true });
  await copyFile(join(folder, name), join(place, name));
  return startService(join(place, name), environment);
}

export function kill(services: readonly Service[]): void {
  for (const service of services) service.process.kill("SIGKILL");
}

/** Makes the contacts user0@example.com to user9999@example.com, which `events.lua` draws from. */
export async function makeContacts(service: Service): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < 10_000) {
      const status = await post(service, "/contacts", { email: `user${next++}@example.com` });
      if (status !== 201) throw new Error(`answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

/** Resolves with the status. */
export async function post({ url }: Service, path: string, body: object): Promise<number> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

export interface Load {
  connections: number;
  /** For `wrk`: `events.lua` of the folder that is given, or ours. */
  script?: string;
  seconds?: number;
  /** What `events.lua` beside this file reads. */
  environment?: Record<string, string>;
}

const secondsPerRound = 5;

/** Records events by `wrk` where present and by `autocannon` otherwise. Throws when a request failed. */
export async function load({ url }: Service, wanted: Load): Promise<Figures> {
  const { connections, seconds = secondsPerRound, script = join(checkout, "test/bench/events.lua") } = wanted;
  const environment = { ...wanted.environment, KEY: key };
  const output = hasWrk
    ? await outputOf(
        "wrk",
        ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "15s", "-s", script, url],
        environment,
      )
    : await outputOf(process.execPath, [join(import.meta.dirname, "events.js")], {
        ...environment,
        URL: url,
        CONNECTIONS: String(connections),
        SECONDS: String(seconds),
      });
  const [, perSecond, p50, p99, errors] = /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(output) ?? [];
  if (errors !== "0") throw new Error(`${errors} requests failed at ${url}\n${output}`);
  return {
    "requests/s": Number(perSecond),
    "ms p50": Number(p50),
    "ms p99": Number(p99),
    "p99 / p50": Number(p99) / Number(p50),
  };
}

async function outputOf(program: string, args: string[], environment: Record<string, string>): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "ignore"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks).toString();
}

/** Loads all of them at once, the connections shared out. The percentiles are those of the service that fared worst. */
export async function loadAll(services: readonly Service[], connections: number): Promise<Figures> {
  const share = { connections: connections / services.length };
  const loads = await Promise.all(services.map((service) => load(service, share)));
  const of = (unit: string): number[] => loads.map((figures) => figures[unit]!);
  return {
    "requests/s": of("requests/s").reduce((total, rate) => total + rate, 0),
    "ms p50": Math.max(...of("ms p50")),
    "ms p99": Math.max(...of("ms p99")),
  };
}

/** Loads the service, and adds the processor time of an event in it, and in the database if it has one. */
export async function loadOnCores(service: Service, database: Database | null, wanted: Load): Promise<Figures> {
  const groups = {
    "the server": [service.process.pid!],
    ...(database && { "the database": [database.pid!] }),
  };
  const coresSince = watchCores(groups);
  const figures = await load(service, wanted);
  const cores = coresSince();
  const microseconds = Object.keys(groups).map((name) => [
    `µs of ${name}`,
    ((cores[`cores of ${name}`] ?? 0) / figures["requests/s"]!) * 1e6,
  ]);
  return { ...figures, ...Object.fromEntries(microseconds), "cores of all else": cores["cores of all else"] ?? 0 };
}

/** Loads the server, and adds the processor time of a request. Then waits until the changes in the database at `url` are logged. */
export async function loadAndLog(service: Service, database: Database, url: string, wanted: Load): Promise<Figures> {
  const figures = await loadOnCores(service, database, wanted);
  const waiting = await countWaiting(url);
  // Those left are not logged beside the next measurement.
  while ((await countWaiting(url)) > 0) await sleep(100);
  return { ...figures, "changes left": waiting };
}

/** Counts the changes that wait to be logged. */
function countWaiting(url: string): Promise<number> {
  return countBy(url, "SELECT COUNT(*) AS n FROM whodid_outbox");
}

/** What a service has compiled by then is what it runs later. */
export async function warmUp(services: readonly Service[], connections: number): Promise<void> {
  for (const service of services) await load(service, { connections, seconds: 2 });
}

/** Measures each service once a round. */
export async function compareServices<One extends Service>(
  rounds: number,
  services: Record<string, One>,
  measure: (service: One) => Promise<Figures>,
): Promise<void> {
  const measures = Object.entries(services).map(([name, service]) => [name, () => measure(service)] as const);
  await compareInRounds(rounds, Object.fromEntries(measures));
}
