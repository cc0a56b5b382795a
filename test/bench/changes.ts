import { setTimeout as sleep } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import type { Tracker } from "../../lib/index.ts";
import type { Database } from "../support/database.ts";
import { countBy, query } from "../support/queries.ts";
import { durableServer, emailOf, indexSizes, onDatabase, openTracker } from "./databases.ts";
import { heapUsed } from "./heap.ts";
import { measureLag } from "./lag.ts";
import { format, secondsOf } from "./rounds.ts";
import { compareServices, countWaiting, kill, loadAndLog, startWhodidWithContacts, warmUp } from "./services.ts";
import { contacts, steadyEvents, subscription } from "./steady-events.ts";

const connections = 64;

/**
 * The cost of a subscription that takes everything, for the requests of a server that also logs the changes. Then the time from a
 * commit to the log, the bytes of a change, and a reader that begins a million changes behind.
 */
export async function run(part?: string, changes = "1000000"): Promise<void> {
  await onDatabase(durableServer, async (database) => {
    if (part !== "log") await compareRates(database);
    if (part !== "rate") await measureLog(await database.createDatabase(), Number(changes));
  });
}

async function compareRates(database: Database): Promise<void> {
  const provision = { subscriptions: [subscription] };
  const subscribedUrl = await database.createDatabase();
  const services = {
    "without a subscription": await startWhodidWithContacts(database.url),
    "all changes logged": await startWhodidWithContacts(subscribedUrl, { provision }),
  };
  await warmUp(Object.values(services), connections);
  await compareServices(5, services, (service) => loadAndLog(service, database, subscribedUrl, { connections }));
  kill(Object.values(services));
}

async function measureLog(url: string, changes: number): Promise<void> {
  const { storage, tracker } = await openTracker(url, contacts);
  await tracker.subscriptions.define(subscription);
  const work = tracker.work();
  const lagging = { ...steadyEvents(tracker), storage, key: subscription.key, nameOf: ({ id }: { id: string }) => id };
  await measureLag("1,000 events/s", lagging);
  const dump = await createConnection(url);
  await dump.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
  await dump.query("SELECT COUNT(*) FROM whodid_events");
  await measureLag("with an open snapshot", lagging);
  const events = function* (): Generator<{ externalId: string; eventKey: string; properties: { amount: number } }> {
    for (let n = 0; n < changes; n++) {
      yield { externalId: emailOf(n % contacts), eventKey: "page_viewed", properties: { amount: n } };
    }
  };
  const seconds = await secondsOf(() =>
    tracker.events.trackMany(events(), ({ ok }) => {
      if (!ok) throw new Error("An event was refused.");
    }),
  );
  console.log(`trackMany: ${format(changes / seconds)} events/s beside the passes`);
  const behind = await secondsOf(async () => {
    while ((await countWaiting(url)) > 0) await sleep(100);
  });
  console.log(`the last was logged ${format(behind)} s later`);
  await measureLag("with a snapshot from before", lagging);
  await dump.end();
  await printBytes(url);
  await readAll(tracker);
  await work.stop();
  await tracker.close();
}

/** Reads the whole log, and prints how fast, and the memory that is in use meanwhile. */
async function readAll(tracker: Tracker): Promise<void> {
  const { event: last } = await tracker.events.track({ externalId: emailOf(0), eventKey: "last" });
  const begun = performance.now();
  let count = 0;
  let heap = 0;
  for await (const { id } of tracker.subscriptions.changes(subscription.key)) {
    if (++count % 100_000 === 0) heap = Math.max(heap, heapUsed());
    if (id === last.id) break;
  }
  const perSecond = format(count / ((performance.now() - begun) / 1_000));
  console.log(`changes: ${format(count)} read, ${perSecond}/s, ${format(heap / 1e6)} MB of heap at most`);
}

async function printBytes(url: string): Promise<void> {
  await query(url, "ANALYZE TABLE whodid_changes");
  const changes = await countBy(url, "SELECT COUNT(*) AS n FROM whodid_changes");
  const sizes = await indexSizes(url, "whodid_changes");
  console.log(`bytes a change: ${sizes.map(([name, bytes]) => `${name} ${format(bytes / changes)}`).join(", ")}`);
}
