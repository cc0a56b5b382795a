import { setTimeout as sleep } from "node:timers/promises";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import type { Database } from "../support/database.ts";
import { countBy } from "../support/queries.ts";
import { emailOf, eventKeys, largeServer, onDatabase, openTracker } from "./databases.ts";
import { measureLag, printLag, type Times } from "./lag.ts";
import { compareServices, kill, loadAndLog, startWhodidWithContacts, warmUp, type Service } from "./services.ts";
import { measureSweeps } from "./sweeps.ts";
import { watchedDefinitions } from "./watched-rules.ts";

const connections = 64;
/** So few that most events leave the contact in the audiences where it is, after the first round. */
const writtenContacts = 2_000;
/** None of `events.lua`. */
const otherKeys = ["step_00", "step_01", "step_02", "step_03", "step_04"];

/**
 * Ten watched audiences: `npm run bench -- watched [CONTACTS [sweeps | rate | lag]]`, a million contacts unless said otherwise. The
 * first pass and sweeps over all contacts, and others' requests beside a sweep. Then the rate of events that touch two of the
 * audiences or none, and the time from an answer until the entry is in the log and handled.
 */
export async function run(contacts = "1000000", part?: string): Promise<void> {
  await onDatabase(largeServer, async (database) => {
    if (!part || part === "sweeps") await measureSweeps(database, await database.createDatabase(), Number(contacts));
    if (!part || part === "rate") await compareRates(database);
    if (!part || part === "lag") await measureEntries(await database.createDatabase());
  });
}

async function compareRates(database: Database): Promise<void> {
  const start = async (keys: readonly string[] | null): Promise<Service & { databaseUrl: string }> => {
    const databaseUrl = await database.createDatabase();
    const service = await startWhodidWithContacts(databaseUrl, keys ? { provision: watchedDefinitions(keys) } : {});
    if (keys) await untilReady(databaseUrl);
    return { ...service, databaseUrl };
  };
  const services = {
    "without audiences": await start(null),
    "an event touches none of ten": await start(otherKeys),
    "an event touches two of ten": await start(eventKeys),
  };
  const started = Object.values(services);
  const environment = { LAST_CONTACT: String(writtenContacts - 1) };
  await warmUp(started, connections);
  await compareServices(5, services, async (service) => {
    const count = (): Promise<number> => countBy(service.databaseUrl, "SELECT COUNT(*) AS n FROM whodid_changes");
    const before = await count();
    const figures = await loadAndLog(service, database, service.databaseUrl, { connections, environment });
    return { ...figures, "changes a round": (await count()) - before };
  });
  kill(started);
}

async function untilReady(url: string): Promise<void> {
  const storage = mysqlStorage(url);
  while ((await storage.listWatches("default")).filter(({ readyAt }) => readyAt !== null).length < 10) await sleep(200);
  await storage.close();
}

/** Of 2,000 contacts, one enters an audience every 10 ms. */
async function measureEntries(url: string): Promise<void> {
  const { storage, tracker } = await openTracker(url, writtenContacts);
  await tracker.provision(watchedDefinitions(otherKeys));
  await tracker.work({ until: "caught-up" });
  const work = tracker.work();
  const handled: Times = new Map();
  const consumer = tracker.subscriptions.consume("watching", async (change) => {
    if (change.kind === "audience_entered") handled.set(change.contact.id!, performance.now());
  });
  // The others know the subscription then.
  await sleep(6_000);
  const answered = await measureLag("100 entries/s", {
    storage,
    key: "watching",
    ticks: writtenContacts,
    perTick: 1,
    async track(n) {
      return (await tracker.events.track({ externalId: emailOf(n), eventKey: otherKeys[0]! })).event.contactId;
    },
    nameOf: ({ contact }) => contact.id,
  });
  while (handled.size < answered.size) await sleep(10);
  printLag("100 entries/s: handled", answered, handled);
  await consumer.stop();
  await work.stop();
  await tracker.close();
}
