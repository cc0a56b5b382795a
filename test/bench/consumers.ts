import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../support/database.ts";
import { countBy } from "../support/queries.ts";
import { durableServer, onDatabase, openTracker } from "./databases.ts";
import { format, percentile, type Figures } from "./rounds.ts";
import { compareServices, kill, loadOnCores, makeContacts, startService, warmUp, type Service } from "./services.ts";
import { contacts, subscription, trackOne, trackSteadily, type Times } from "./steady-events.ts";

const connections = 64;
const kinds = ["plain", "transaction"] as const;

/**
 * The cost of a consumer that does nothing, for the requests of the process that it runs in, and whether it keeps up. Then the time
 * from a commit until the handler is called.
 */
export async function run(part?: string, rounds = "5"): Promise<void> {
  await onDatabase(durableServer, async (database) => {
    if (part !== "lag") await compareRates(database, Number(rounds));
    if (part !== "rate") for (const kind of kinds) await measureLag(await database.createDatabase(), kind);
  });
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
  kind: "" | (typeof kinds)[number];
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

/** The lag at 1,000 events/s, and that of single events of an idle app. */
async function measureLag(url: string, kind: (typeof kinds)[number]): Promise<void> {
  const { tracker } = await openTracker(url, contacts);
  const { startsAt } = await tracker.subscriptions.define(subscription);
  await sleep(Math.max(0, Date.parse(startsAt) - Date.now()));
  const seen: Times = new Map();
  const options = { transaction: kind === "transaction", concurrency: 4 };
  tracker.subscriptions.consume(subscription.key, options, ({ id }) => void seen.set(id, performance.now()));
  const alone: Times = new Map();
  for (let n = 0; n < 50; n++) {
    await sleep(200 + Math.random() * 1_000);
    alone.set(await trackOne(tracker, n), performance.now());
  }
  await untilSeen(alone, seen);
  printLag(`${kind}, single events`, alone, seen);
  const answered = await trackSteadily(tracker);
  await untilSeen(answered, seen);
  printLag(`${kind}, 1,000 events/s`, answered, seen);
  await tracker.close();
}

async function untilSeen(answered: Times, seen: Times): Promise<void> {
  while ([...answered.keys()].some((id) => !seen.has(id))) await sleep(100);
}

/** Prints the time from each answer until the change was handled. */
function printLag(name: string, answered: Times, seen: Times): void {
  const lags = Array.from(answered, ([change, at]) => Math.max(0, seen.get(change)! - at));
  const at = (share: number): string => format(percentile(lags, share));
  console.log(`${name}: handled after ${at(0.5)} ms, p99 ${at(0.99)}, at most ${at(0.99999)}`);
}
