import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import type { Database } from "../support/database.ts";
import { freePort } from "../support/loopback.ts";
import { spread, timesOf } from "./rounds.ts";
import {
  before,
  compareServices,
  kill,
  loadOnCores,
  startReference,
  startWhodidWithContacts,
  warmUp,
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
  const script = join(folder, "events.lua");
  for (const connections of counts.split(",").map(Number)) {
    console.log(`\n${connections} connections`);
    await warmUp(Object.values(services), connections);
    await compareServices(7, services, (service) => loadOnCores(service, database, { connections, script }));
  }
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
