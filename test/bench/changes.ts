import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { accepted } from "../../lib/storage/refusals.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { heapUsed } from "./heap.ts";
import { kill, loadOnCores, startWhodidWithContacts, warmUp } from "./mysql-services.ts";
import { compareInRounds, format, type Figures } from "./rounds.ts";
import type { Service } from "./services.ts";
import { contacts, emailOf, printLags, subscription, trackSteadily } from "./steady-events.ts";

const serverArguments = ["--innodb-buffer-pool-size=1G", "--innodb-flush-log-at-trx-commit=1"];
const connections = 64;

/**
 * The cost of a subscription that takes everything, for the requests of a server that also logs the changes. Then the time from a
 * commit to the log, the bytes of a change, and a reader that begins a million changes behind.
 */
export async function run(part?: string, changes = "1000000"): Promise<void> {
  const database = await startDatabase({ serverArguments });
  if ("unavailable" in database) return;
  try {
    if (part !== "log") await compareRates(database);
    if (part !== "rate") await measureLog(await database.createDatabase(), Number(changes));
  } finally {
    await database.stop();
  }
}

async function compareRates(database: Database): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "whodid-changes-"));
  const provision = join(folder, "definitions.json");
  await writeFile(provision, JSON.stringify({ subscriptions: [subscription] }));
  const subscribedUrl = await database.createDatabase();
  const services = {
    "without a subscription": await startWhodidWithContacts(database.url),
    "all changes logged": await startWhodidWithContacts(subscribedUrl, { provision }),
  };
  await rm(folder, { recursive: true });
  await warmUp(Object.values(services), connections);
  const measure = (service: Service) => async (): Promise<Figures> => {
    const figures = await loadOnCores(service, database, connections);
    const waiting = await countWaiting(subscribedUrl);
    // Those left are not logged beside the next measurement.
    while ((await countWaiting(subscribedUrl)) > 0) await sleep(100);
    return { ...figures, "changes left": waiting };
  };
  await compareInRounds(5, Object.fromEntries(Object.entries(services).map(([name, one]) => [name, measure(one)])));
  kill(Object.values(services));
}

async function measureLog(url: string, changes: number): Promise<void> {
  const storage = mysqlStorage(url);
  await storage.migrate();
  const tracker = createTracker({ storage, rateLimit: false });
  await tracker.contacts.upsertMany(Array.from({ length: contacts }, (_, n) => ({ email: emailOf(n) })));
  await tracker.subscriptions.define(subscription);
  const work = tracker.work();
  await measureLag("1,000 events/s", tracker, storage);
  const dump = await createConnection(url);
  await dump.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
  await dump.query("SELECT COUNT(*) FROM whodid_events");
  await measureLag("with an open snapshot", tracker, storage);
  const begun = performance.now();
  const events = function* (): Generator<{ externalId: string; eventKey: string; properties: { amount: number } }> {
    for (let n = 0; n < changes; n++) {
      yield { externalId: emailOf(n % contacts), eventKey: "page_viewed", properties: { amount: n } };
    }
  };
  await tracker.events.trackMany(events(), ({ ok }) => {
    if (!ok) throw new Error("An event was refused.");
  });
  console.log(`trackMany: ${format(changes / ((performance.now() - begun) / 1_000))} events/s beside the passes`);
  const behind = performance.now();
  while ((await countWaiting(url)) > 0) await sleep(100);
  console.log(`the last was logged ${format((performance.now() - behind) / 1_000)} s later`);
  await measureLag("with a snapshot from before", tracker, storage);
  await dump.end();
  await printBytes(url);
  await readAll(tracker);
  await work.stop();
  await tracker.close();
}

/** Prints the time from the answer to each event until a reader found the change in the log. */
async function measureLag(name: string, tracker: Tracker, storage: ReturnType<typeof mysqlStorage>): Promise<void> {
  const seen = new Map<string, number>();
  const start = await storage.readLogEnd();
  const tracking = trackSteadily(tracker);
  let total = Infinity;
  void tracking.then(({ size }) => (total = size));
  for (let after: number = start; seen.size < total; await sleep(5)) {
    const page = accepted(await storage.listChanges("default", subscription.key, after, 1_000));
    for (const { id } of page.changes) seen.set(id, performance.now());
    after = page.position;
  }
  printLags(`${name}: in the log`, await tracking, seen);
}

/** Reads the whole log, and prints how fast, and the memory that is in use meanwhile. */
async function readAll(tracker: Tracker): Promise<void> {
  let last = "";
  await tracker.events.track({ externalId: emailOf(0), eventKey: "last" }).then(({ event }) => (last = event.id));
  const begun = performance.now();
  let count = 0;
  let heap = 0;
  for await (const { id } of tracker.subscriptions.changes(subscription.key)) {
    if (++count % 100_000 === 0) heap = Math.max(heap, heapUsed());
    if (id === last) break;
  }
  const perSecond = format(count / ((performance.now() - begun) / 1_000));
  console.log(`changes: ${format(count)} read, ${perSecond}/s, ${format(heap / 1e6)} MB of heap at most`);
}

async function printBytes(url: string): Promise<void> {
  const connection = await createConnection(url);
  await connection.query("ANALYZE TABLE whodid_changes");
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT index_name AS name, stat_value * @@innodb_page_size / (SELECT COUNT(*) FROM whodid_changes) AS bytes
FROM mysql.innodb_index_stats WHERE database_name = DATABASE() AND table_name = 'whodid_changes' AND stat_name = 'size'`,
  );
  await connection.end();
  console.log(`bytes a change: ${rows.map(({ name, bytes }) => `${name} ${format(Number(bytes))}`).join(", ")}`);
}

async function countWaiting(url: string): Promise<number> {
  const connection = await createConnection(url);
  const [[row]] = await connection.query<RowDataPacket[]>("SELECT COUNT(*) AS n FROM whodid_outbox");
  await connection.end();
  return Number(row!["n"]);
}
