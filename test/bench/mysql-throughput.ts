import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../support/database.ts";
import { watchCores } from "./cores.ts";
import { compareInRounds, type Figures } from "./rounds.ts";
import { empty, fill } from "./mysql-filling.ts";
import { load, type Service } from "./services.ts";
import { before, key, kill, startReference, startWhodidWithContacts, warmUp } from "./mysql-services.ts";

/** Against the service written by hand, the same with a transaction, memory, and a server that stores nothing; at 256 connections and at 64. */
export async function throughput(database: Database, folder: string, connections?: string): Promise<void> {
  const peers = await startPeers(database, folder);
  const services = {
    ...peers,
    "whodid on MySQL": await startWhodidWithContacts(database.url),
    ...(await startBefore(database)),
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
  const own = { "whodid on MySQL": await startWhodidWithContacts(database.url), ...(await startBefore(database)) };
  const services = { ...peers, ...own };
  await compare(database, folder, services, 1);
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
    "with five checklists": await startWhodidWithContacts(urls[1], { provision: await writeChecklists() }),
  };
  await compare(database, folder, services, 256);
  for (const url of urls) {
    await empty(url);
    await fill(url, 10_000, 30);
  }
  await compare(database, folder, services, 256);
  kill(Object.values(services));
}

async function writeChecklists(): Promise<string> {
  const eventKeys = ["signup_completed", "page_viewed", "purchase_completed", "report_created", "feature_used"];
  const items = eventKeys.flatMap((eventKey) => [
    { key: `did_${eventKey}`, name: eventKey, when: { kind: "has_done", eventKey } },
    { key: `often_${eventKey}`, name: eventKey, when: { kind: "count_greater_than", eventKey, count: 9 } },
  ]);
  const definitions = [1, 2, 3, 4, 5].map((number) => ({ key: `list_${number}`, name: `List ${number}`, items }));
  const file = join(await mkdtemp(join(tmpdir(), "whodid-checklists-")), "definitions.json");
  await writeFile(file, JSON.stringify({ checklists: definitions }));
  return file;
}

/** Both on the same tables. */
async function startPeers(database: Database, folder: string): Promise<Record<string, Service>> {
  const url = await database.createDatabase();
  return {
    peer: await startReference(folder, "peer.mjs", { DATABASE_URL: url, SETUP: "1" }),
    "peer TX=1": await startReference(folder, "peer.mjs", { DATABASE_URL: url, TX: "1" }),
  };
}

/** With BEFORE also the other version, on tables of its own. */
async function startBefore(database: Database): Promise<Record<string, Service>> {
  if (before === undefined) return {};
  return { "whodid before": await startWhodidWithContacts(await database.createDatabase(), { of: before }) };
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
