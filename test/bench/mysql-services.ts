import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { generateApiKey } from "../../lib/api-keys.ts";
import type { Database } from "../support/database.ts";
import { watchCores } from "./cores.ts";
import type { Figures } from "./rounds.ts";
import { load, makeContacts, startService, type Load, type Service } from "./services.ts";

export const checkout: string = join(import.meta.dirname, "../../..");

/** Where another version is checked out and built, to be measured beside this one. */
export const before: string | undefined = process.env["BEFORE"];

/** For all services alike. */
export const key: string = generateApiKey();

/** Ours, for `wrk`. */
export const ownScript: string = join(checkout, "test/bench/events.lua");

let port = 4_111;

interface WhodidOptions {
  nodeArguments?: readonly string[];
  provision?: string | undefined;
  environment?: Record<string, string>;
  /** The folder of the checkout that is started. */
  of?: string;
}

/** The server on MySQL, on memory with an empty URL: authenticated, validated, limited beyond what is reached. */
export function startWhodid(
  databaseUrl: string,
  { nodeArguments = [], provision = "", environment = {}, of = checkout }: WhodidOptions = {},
): Promise<Service> {
  const settings = {
    API_KEY: key,
    RATE_LIMIT: "1000000000",
    DATABASE_URL: databaseUrl,
    PROVISION: provision,
    ...environment,
  };
  return startService(join(of, "dist/server/main.js"), port++, { ...settings, TABLE_PREFIX: "" }, nodeArguments);
}

/** The same, with the contacts that `events.lua` draws from. */
export async function startWhodidWithContacts(databaseUrl: string, options: WhodidOptions = {}): Promise<Service> {
  const service = await startWhodid(databaseUrl, options);
  await makeContacts(service, key);
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
  return startService(join(place, name), port++, environment);
}

/** What a service has compiled by then is what it runs later. */
export async function warmUp(services: readonly Service[], connections: number): Promise<void> {
  for (const service of services) await load(service, { key, connections, script: ownScript, seconds: 2 });
}

/** Loads the service, and adds the processor time of an event in it and in the database. */
export async function loadOnCores(
  service: Service,
  database: Database,
  wanted: Omit<Load, "key" | "script"> & { script?: string },
): Promise<Figures> {
  const coresSince = watchCores({ "the server": [service.process.pid!], "the database": [database.pid!] });
  const figures = await load(service, { key, script: ownScript, ...wanted });
  const cores = coresSince();
  const microsecondsOf = (name: string): number => ((cores[`cores of ${name}`] ?? 0) / figures["requests/s"]!) * 1e6;
  return {
    ...figures,
    "µs of the server": microsecondsOf("the server"),
    "µs of the database": microsecondsOf("the database"),
    "cores of all else": cores["cores of all else"] ?? 0,
  };
}

export function kill(services: readonly Service[]): void {
  for (const service of services) service.process.kill("SIGKILL");
}
