import { join } from "node:path";
import type { Database } from "../support/database.ts";
import { watchCores } from "./cores.ts";
import { compareInRounds, type Figures } from "./rounds.ts";
import { load, type Service } from "./services.ts";
import { key, kill, startReference, startWhodidWithContacts, warmUp } from "./mysql-services.ts";

/** Against the service written by hand, the same with a transaction, memory, and a server that stores nothing; at 256 connections and at 64. */
export async function throughput(database: Database, folder: string, connections?: string): Promise<void> {
  const peers = await startPeers(database, folder);
  const services = {
    ...peers,
    "whodid on MySQL": await startWhodidWithContacts(database.url),
    "whodid on memory": await startWhodidWithContacts(""),
    "bare node:http": await startReference(folder, "bare.mjs"),
  };
  for (const count of connections === undefined ? [256, 64] : [Number(connections)]) {
    await compare(database, folder, services, count);
  }
  kill(Object.values(services));
}

/** One connection, one request at a time. */
export async function latency(database: Database, folder: string): Promise<void> {
  const peers = await startPeers(database, folder);
  const services = { ...peers, "whodid on MySQL": await startWhodidWithContacts(database.url) };
  await compare(database, folder, services, 1);
  kill(Object.values(services));
}

/** Both on the same tables. */
async function startPeers(database: Database, folder: string): Promise<Record<string, Service>> {
  const url = await database.createDatabase();
  return {
    peer: await startReference(folder, "peer.mjs", { DATABASE_URL: url, SETUP: "1" }),
    "peer TX=1": await startReference(folder, "peer.mjs", { DATABASE_URL: url, TX: "1" }),
  };
}

async function compare(
  database: Database,
  folder: string,
  services: Record<string, Service>,
  connections: number,
): Promise<void> {
  console.log(`\n${connections} connections`);
  await warmUp(Object.values(services), connections);
  const measure = (service: Service) => async (): Promise<Figures> => {
    const coresSince = watchCores({ "the server": [service.process.pid!], "the database": [database.pid!] });
    const figures = await load(service, { key, connections, script: join(folder, "events.lua") });
    return { ...figures, ...coresSince() };
  };
  await compareInRounds(5, Object.fromEntries(Object.entries(services).map(([name, one]) => [name, measure(one)])));
}
