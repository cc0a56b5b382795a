import type { Database } from "../support/database.ts";
import { watchCores } from "./cores.ts";
import { compareInRounds, type Figures } from "./rounds.ts";
import { load, type Service } from "./services.ts";
import { key, kill, ownScript, startWhodid, startWhodidWithContacts, warmUp } from "./mysql-services.ts";

const connections = 256;

/** The sum that one, two and four server processes on one database reach, the connections shared out, and who keeps the cores busy. */
export async function processes(database: Database): Promise<void> {
  const services = [await startWhodidWithContacts(database.url)];
  while (services.length < 4) services.push(await startWhodid(database.url));
  await warmUp(services, connections / services.length);
  const among = (count: number) => () => loadAll(database, services.slice(0, count));
  await compareInRounds(5, { "1 process": among(1), "2 processes": among(2), "4 processes": among(4) });
  kill(services);
}

/** The percentiles are those of the process that fared worst. */
async function loadAll(database: Database, services: readonly Service[]): Promise<Figures> {
  const pids = services.map((service) => service.process.pid!);
  const coresSince = watchCores({ "the servers": pids, "the database": [database.pid!] });
  const share = { key, connections: connections / services.length, script: ownScript };
  const loads = await Promise.all(services.map((service) => load(service, share)));
  const of = (unit: string): number[] => loads.map((figures) => figures[unit]!);
  return {
    "requests/s": of("requests/s").reduce((total, rate) => total + rate, 0),
    "ms p50": Math.max(...of("ms p50")),
    "ms p99": Math.max(...of("ms p99")),
    ...coresSince(),
  };
}
