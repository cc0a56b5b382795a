import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { countWaiting, loadAndLog } from "./costs.ts";
import { heapUsed } from "./heap.ts";
import { measureLag } from "./lag.ts";
import { kill, startWhodidWithContacts, warmUp } from "./mysql-services.ts";
import { compareInRounds, format, type Figures } from "./rounds.ts";
import type { Service } from "./services.ts";
import { contacts, emailOf, steadyEvents, subscription } from "./steady-events.ts";

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
  const measure = (service: Service) => (): Promise<Figures> =>
    loadAndLog(service, database, subscribedUrl, { connections });
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
  const lagging = { ...steadyEvents(tracker), storage, key: subscription.key, nameOf: ({ id }: { id: string }) => id };
  await measureLag("1,000 events/s", lagging);
  const dump = await createConnection(url);
  await dump.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
  await dump.query("SELECT COUNT(*) FROM whodid_events");
  await measureLag("with an open snapshot", lagging);
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
  await measureLag("with a snapshot from before", lagging);
  await dump.end();
  await printBytes(url);
  await readAll(tracker);
  await work.stop();
  await tracker.close();
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
