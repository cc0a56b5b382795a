import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createPool, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { loadAndLog } from "./costs.ts";
import { measureLag, printLag, type Times } from "./lag.ts";
import { kill, startWhodidWithContacts, warmUp } from "./mysql-services.ts";
import { compareInRounds, type Figures } from "./rounds.ts";
import { measureSweeps } from "./sweeps.ts";
import { watchedDefinitions } from "./watched-rules.ts";

const serverArguments = ["--innodb-buffer-pool-size=1G", "--loose-innodb-log-file-size=512M"];
const connections = 64;
/** So few that most events leave the contact in the audiences where it is, after the first round. */
const writtenContacts = 2_000;
/** The keys of `events.lua`, and others. */
const sentKeys = ["signup_completed", "page_viewed", "purchase_completed", "report_created", "feature_used"];
const otherKeys = ["step_00", "step_01", "step_02", "step_03", "step_04"];

/**
 * Ten watched audiences: `npm run bench -- watched [CONTACTS [sweeps | rate | lag]]`, a million contacts unless said otherwise. The
 * first pass and sweeps over all contacts, and others' requests beside a sweep. Then the rate of events that touch two of the
 * audiences or none, and the time from an answer until the entry is in the log and handled.
 */
export async function run(contacts = "1000000", part?: string): Promise<void> {
  const database = await startDatabase({ serverArguments });
  if ("unavailable" in database) throw new Error(database.unavailable);
  try {
    if (!part || part === "sweeps") await measureSweeps(database, await database.createDatabase(), Number(contacts));
    if (!part || part === "rate") await compareRates(database);
    if (!part || part === "lag") await measureEntries(await database.createDatabase());
  } finally {
    await database.stop();
  }
}

async function compareRates(database: Database): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "whodid-watched-"));
  const start = async (keys: readonly string[] | null) => {
    const url = await database.createDatabase();
    const provision = join(folder, "definitions.json");
    if (keys) await writeFile(provision, JSON.stringify(watchedDefinitions(keys)));
    const service = await startWhodidWithContacts(url, keys ? { provision } : {});
    if (keys) await untilReady(url);
    return { url, service };
  };
  const services = {
    "without audiences": await start(null),
    "an event touches none of ten": await start(otherKeys),
    "an event touches two of ten": await start(sentKeys),
  };
  await rm(folder, { recursive: true });
  const started = Object.values(services).map(({ service }) => service);
  const environment = { LAST_CONTACT: String(writtenContacts - 1) };
  await warmUp(started, connections);
  const measure =
    ({ url, service }: (typeof services)[keyof typeof services]) =>
    async (): Promise<Figures> => {
      const before = await count(url, "whodid_changes");
      const { "requests/s": rate, ...figures } = await loadAndLog(service, database, url, { connections, environment });
      const changes = (await count(url, "whodid_changes")) - before;
      return { "requests/s": rate!, ...figures, "changes a round": changes };
    };
  await compareInRounds(5, Object.fromEntries(Object.entries(services).map(([name, one]) => [name, measure(one)])));
  kill(started);
}

async function untilReady(url: string): Promise<void> {
  const storage = mysqlStorage(url);
  while ((await storage.listWatches("default")).filter(({ readyAt }) => readyAt !== null).length < 10) await sleep(200);
  await storage.close();
}

async function count(url: string, table: string): Promise<number> {
  const pool = createPool(url);
  const [[row]] = await pool.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${table}`);
  await pool.end();
  return Number(row!["n"]);
}

/** Of 2,000 contacts, one enters an audience every 10 ms. */
async function measureEntries(url: string): Promise<void> {
  const storage = mysqlStorage(url);
  await storage.migrate();
  const tracker = createTracker({ storage, rateLimit: false });
  const emails = Array.from({ length: 2_000 }, (_, n) => `user${n}@example.com`);
  await tracker.contacts.upsertMany(emails.map((email) => ({ email })));
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
    ticks: emails.length,
    perTick: 1,
    async track(n) {
      return (await tracker.events.track({ externalId: emails[n]!, eventKey: otherKeys[0]! })).event.contactId;
    },
    nameOf: ({ contact }) => contact.id,
  });
  while (handled.size < answered.size) await sleep(10);
  printLag("100 entries/s: handled", answered, handled);
  await consumer.stop();
  await work.stop();
  await tracker.close();
}
