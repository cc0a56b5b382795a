import type { Database } from "../support/database.ts";
import { watchCores } from "./cores.ts";
import { compareInRounds, type Figures } from "./rounds.ts";
import { kill, loadAll, startWhodid, startWhodidWithContacts, warmUp, type Service } from "./services.ts";

const connections = 256;

/** The sum that one, two and four server processes on one database reach, the connections shared out, and who keeps the cores busy. */
export async function processes(database: Database): Promise<void> {
  const services = [await startWhodidWithContacts(database.url)];
  while (services.length < 4) services.push(await startWhodid(database.url));
  await warmUp(services, connections / services.length);
  const among = (count: number) => () => loadOnCores(database, services.slice(0, count));
  await compareInRounds(5, { "1 process": among(1), "2 processes": among(2), "4 processes": among(4) });
  kill(services);
}

async function loadOnCores(database: Database, services: readonly Service[]): Promise<Figures> {
  const pids = services.map((service) => service.process.pid!);
  const coresSince = watchCores({ "the servers": pids, "the database": [database.pid!] });
  return { ...(await loadAll(services, connections)), ...coresSince() };
}
