import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../support/database.ts";
import { countBy } from "../support/queries.ts";
import { durableServer, onDatabase } from "./databases.ts";
import type { Figures } from "./rounds.ts";
import { compareServices, kill, loadOnCores, makeContacts, startService, warmUp, type Service } from "./services.ts";

const connections = 64;

/** The cost of a consumer that does nothing, for the requests of the process that it runs in, and whether it keeps up. */
export async function run(rounds = "5"): Promise<void> {
  await onDatabase(durableServer, (database) => compareRates(database, Number(rounds)));
}

async function compareRates(database: Database, rounds: number): Promise<void> {
  const services = {
    "without a subscription": await startApp(database, ""),
    "a consumer": await startApp(database, "plain"),
    "one with transactions": await startApp(database, "transaction"),
  };
  const started = Object.values(services);
  await warmUp(started, connections);
  const measure = async (service: App): Promise<Figures> => {
    const begun = performance.now();
    const figures = await loadOnCores(service, database, { connections });
    const seconds = (performance.now() - begun) / 1_000;
    const left = await countLeft(service.databaseUrl);
    // They are not handled beside the next measurement.
    while ((await countLeft(service.databaseUrl)) > 0) await sleep(100);
    if (service.kind === "") return figures;
    return { ...figures, "changes left": left, "handled/s": figures["requests/s"]! - left / seconds };
  };
  for (const { databaseUrl } of started) while ((await countLeft(databaseUrl)) > 0) await sleep(100);
  await compareServices(rounds, services, measure);
  kill(started);
}

interface App extends Service {
  databaseUrl: string;
  kind: "" | "plain" | "transaction";
}

async function startApp(database: Database, kind: App["kind"]): Promise<App> {
  const databaseUrl = await database.createDatabase();
  const environment = { DATABASE_URL: databaseUrl, CONSUMES: kind };
  const service = await startService(join(import.meta.dirname, "consumer-service.js"), environment);
  await makeContacts(service);
  return { ...service, databaseUrl, kind };
}

/** The changes that were not handled yet. */
function countLeft(url: string): Promise<number> {
  return countBy(
    url,
    `SELECT (SELECT COALESCE(SUM(change_count), 0) FROM whodid_outbox) + (SELECT COUNT(*) FROM whodid_changes c
  JOIN whodid_slots t ON t.slot = ORD(RIGHT(c.contact_id, 1)) & 63 AND t.position < c.position
  WHERE c.workspace = 'default' AND c.position > (SELECT MIN(position) FROM whodid_slots)) AS n`,
  );
}
