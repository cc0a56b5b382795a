import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { printLag, trackSteadily } from "./lag.ts";
import { key, kill, loadOnCores, warmUp } from "./mysql-services.ts";
import { compareInRounds, type Figures } from "./rounds.ts";
import { makeContacts, startService, type Service } from "./services.ts";
import { contacts, emailOf, steadyEvents, subscription } from "./steady-events.ts";

const serverArguments = ["--innodb-buffer-pool-size=1G", "--innodb-flush-log-at-trx-commit=1"];
const connections = 64;
const kinds = ["plain", "transaction"] as const;

/**
 * The cost of a consumer that does nothing, for the requests of the process that it runs in, and whether it keeps up. Then the time
 * from a commit until the handler is called.
 */
export async function run(part?: string, rounds = "5"): Promise<void> {
  const database = await startDatabase({ serverArguments });
  if ("unavailable" in database) return;
  try {
    if (part !== "lag") await compareRates(database, Number(rounds));
    if (part !== "rate") for (const kind of kinds) await measureLag(await database.createDatabase(), kind);
  } finally {
    await database.stop();
  }
}

async function compareRates(database: Database, rounds: number): Promise<void> {
  const urls = [database.url, await database.createDatabase(), await database.createDatabase()] as const;
  const services = {
    "without a subscription": await startApp(4_131, urls[0], ""),
    "a consumer": await startApp(4_132, urls[1], "plain"),
    "one with transactions": await startApp(4_133, urls[2], "transaction"),
  };
  await warmUp(Object.values(services), connections);
  const measure = (service: Service, url: string) => async (): Promise<Figures> => {
    const begun = performance.now();
    const figures = await loadOnCores(service, database, { connections });
    const seconds = (performance.now() - begun) / 1_000;
    const left = await countLeft(url);
    // They are not handled beside the next measurement.
    while ((await countLeft(url)) > 0) await sleep(100);
    if (url === urls[0]) return figures;
    return { ...figures, "changes left": left, "handled/s": figures["requests/s"]! - left / seconds };
  };
  const candidates = Object.entries(services).map(([name, one], index) => [name, measure(one, urls[index]!)] as const);
  for (const url of urls) while ((await countLeft(url)) > 0) await sleep(100);
  await compareInRounds(rounds, Object.fromEntries(candidates));
  kill(Object.values(services));
}

async function startApp(port: number, url: string, kind: "" | (typeof kinds)[number]): Promise<Service> {
  const environment = { API_KEY: key, DATABASE_URL: url, CONSUMES: kind };
  const service = await startService(join(import.meta.dirname, "consumer-service.js"), port, environment);
  await makeContacts(service, key);
  return service;
}

/** The changes that were not handled yet. */
async function countLeft(url: string): Promise<number> {
  const connection = await createConnection(url);
  const [[row]] = await connection.query<RowDataPacket[]>(
    `SELECT (SELECT COALESCE(SUM(change_count), 0) FROM whodid_outbox) + (SELECT COUNT(*) FROM whodid_changes c
  JOIN whodid_slots t ON t.slot = ORD(RIGHT(c.contact_id, 1)) & 63 AND t.position < c.position
  WHERE c.workspace = 'default' AND c.position > (SELECT MIN(position) FROM whodid_slots)) AS n`,
  );
  await connection.end();
  return Number(row!["n"]);
}

/** The lag at 1,000 events/s, and that of single events of an idle app. */
async function measureLag(url: string, kind: (typeof kinds)[number]): Promise<void> {
  const storage = mysqlStorage(url);
  await storage.migrate();
  const tracker = createTracker({ storage, rateLimit: false });
  await tracker.contacts.upsertMany(Array.from({ length: contacts }, (_, n) => ({ email: emailOf(n) })));
  const { startsAt } = await tracker.subscriptions.define(subscription);
  await sleep(Math.max(0, Date.parse(startsAt) - Date.now()));
  const seen = new Map<string, number>();
  const options = { transaction: kind === "transaction", concurrency: 4 };
  tracker.subscriptions.consume(subscription.key, options, ({ id }) => void seen.set(id, performance.now()));
  const steady = steadyEvents(tracker);
  const alone = new Map<string, number>();
  for (let n = 0; n < 50; n++) {
    await sleep(200 + Math.random() * 1_000);
    alone.set(await steady.track(n), performance.now());
  }
  await untilSeen(alone, seen);
  printLag(`${kind}, single events: handled`, alone, seen);
  const answered = await trackSteadily(steady);
  await untilSeen(answered, seen);
  printLag(`${kind}, 1,000 events/s: handled`, answered, seen);
  await tracker.close();
}

async function untilSeen(answered: ReadonlyMap<string, number>, seen: ReadonlyMap<string, number>): Promise<void> {
  while ([...answered.keys()].some((id) => !seen.has(id))) await sleep(100);
}
