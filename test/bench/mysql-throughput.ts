import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import type { Definitions } from "../../lib/index.ts";
import type { Database } from "../support/database.ts";
import { freePort } from "../support/loopback.ts";
import { empty, fill } from "./mysql-filling.ts";
import { spread, timesOf } from "./rounds.ts";
import {
  before,
  compareServices,
  kill,
  loadOnCores,
  startReference,
  startWhodidWithContacts,
  warmUp,
  type Service,
} from "./services.ts";

/** Against the service written by hand and the same with a transaction; with `distance` through a proxy that adds round trip time. */
export async function throughput(
  database: Database,
  folder: string,
  counts = "1,8,64,256",
  where?: string,
): Promise<void> {
  const away = where === "distance" ? await addDistance(database, folder) : (url: string): string => url;
  const newUrl = async (): Promise<string> => away(await database.createDatabase());
  const peers = await newUrl();
  const services = {
    peer: await startReference(folder, "peer.mjs", { DATABASE_URL: peers, SETUP: "1" }),
    "peer TX=1": await startReference(folder, "peer.mjs", { DATABASE_URL: peers, TX: "1" }),
    "whodid on MySQL": await startWhodidWithContacts(away(database.url)),
    ...(before !== undefined && { "whodid before": await startWhodidWithContacts(await newUrl(), { of: before }) }),
  };
  for (const count of counts.split(",")) await compare(database, folder, services, Number(count), 7);
  kill(Object.values(services));
}

/** Starts the proxy of the folder. Returns a function that leads a URL through it. */
async function addDistance(database: Database, folder: string): Promise<(url: string) => string> {
  const port = await freePort();
  const target = new URL(database.url);
  const args = [join(folder, "delay.mjs"), String(port), target.port, "2"];
  const proxy = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => proxy.kill());
  await once(proxy.stdout, "data");
  const away = (url: string): string => Object.assign(new URL(url), { hostname: "127.0.0.1", port }).href;
  for (const url of [database.url, away(database.url)]) {
    const connection = await createConnection(url);
    console.log(`SELECT 1 takes ${spread(await timesOf(50, () => connection.execute("SELECT 1")))}`);
    await connection.end();
  }
  return away;
}

/** Against memory, and a server that stores nothing. */
export async function storages(database: Database, folder: string): Promise<void> {
  const services = {
    "whodid on MySQL": await startWhodidWithContacts(database.url),
    "whodid on memory": await startWhodidWithContacts(""),
    "bare node:http": await startReference(folder, "bare.mjs"),
  };
  await compare(database, folder, services, 256);
  kill(Object.values(services));
}

/**
 * At 256 connections, without checklists and with five of ten items, two for each key of `events.lua`: of contacts who have done
 * nothing, so that most events complete five items; then of contacts who have done each key six times, so that few do.
 */
export async function checklists(database: Database, folder: string): Promise<void> {
  const urls = [database.url, await database.createDatabase()] as const;
  const services = {
    "without checklists": await startWhodidWithContacts(urls[0]),
    "with five checklists": await startWhodidWithContacts(urls[1], { provision: fiveChecklists() }),
  };
  await compare(database, folder, services, 256);
  for (const url of urls) {
    await empty(url);
    await fill(url, 10_000, 30);
  }
  await compare(database, folder, services, 256);
  kill(Object.values(services));
}

function fiveChecklists(): Definitions {
  const eventKeys = ["signup_completed", "page_viewed", "purchase_completed", "report_created", "feature_used"];
  const items = eventKeys.flatMap((eventKey) => [
    { key: `did_${eventKey}`, name: eventKey, when: { kind: "has_done", eventKey } as const },
    { key: `often_${eventKey}`, name: eventKey, when: { kind: "count_greater_than", eventKey, count: 9 } as const },
  ]);
  return { checklists: [1, 2, 3, 4, 5].map((number) => ({ key: `list_${number}`, name: `List ${number}`, items })) };
}

async function compare(
  database: Database,
  folder: string,
  services: Record<string, Service>,
  connections: number,
  rounds = 5,
): Promise<void> {
  console.log(`\n${connections} connections`);
  await warmUp(Object.values(services), connections);
  const script = join(folder, "events.lua");
  await compareServices(rounds, services, (service) => loadOnCores(service, database, { connections, script }));
}
