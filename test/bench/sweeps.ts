import { setTimeout as sleep } from "node:timers/promises";
import { createPool, type Pool } from "mysql2/promise";
import type { MysqlStorage } from "../../adapters/mysql/index.ts";
import { sweepRestTimes } from "../../lib/model/limits.ts";
import { sweepUntil } from "../../lib/watches/sweeps.ts";
import type { Database } from "../support/database.ts";
import { fillAttributes } from "./audience-attributes.ts";
import { fillBehaviour, now } from "./behaviour-data.ts";
import { watchCores } from "./cores.ts";
import { largeServer, onDatabase, openTracker } from "./databases.ts";
import { compareInRounds, secondsOf, type Figures } from "./rounds.ts";
import { kill, loadAndLog, startWhodid } from "./services.ts";
import { watchedDefinitions } from "./watched-rules.ts";

const eventsEach = 3;
const connections = 16;

/**
 * Ten watched audiences: `npm run bench -- sweeps [CONTACTS]`, a million contacts unless said otherwise. The first pass, sweeps
 * without pauses, and others' requests beside a sweep with its pauses.
 */
export async function run(contacts = "1000000"): Promise<void> {
  await onDatabase(largeServer, (database) => measure(database, Number(contacts)));
}

async function measure(database: Database, contacts: number): Promise<void> {
  const { url } = database;
  const pool = createPool({ uri: url, connectionLimit: 1 });
  const { storage, tracker } = await openTracker(url, 0, { now: () => new Date(now) });
  await fillBehaviour(pool, { contacts, events: contacts * eventsEach });
  await fillAttributes(tracker, pool, contacts);
  await tracker.provision(watchedDefinitions);
  await compareInRounds(1, { "first pass": () => timed(database, () => beginAll(storage)) });
  const sweep = async (): Promise<Figures> => {
    const figures = await timed(database, () => sweepAll(storage));
    return { ...figures, "s with the rests of a worker": figures["seconds"]! * (1 + sweepRestTimes) };
  };
  await compareInRounds(3, {
    "sweep, nothing differs": sweep,
    "sweep, 0.1 % differ": async () => {
      await differ(pool);
      return sweep();
    },
  });
  while ((await storage.logChanges()).more);
  // Its own sweeps would run beside all rounds.
  const service = await startWhodid(url, { environment: { WORK: "off" } });
  const environment = { LAST_CONTACT: String(contacts - 1) };
  const others = (): Promise<Figures> => loadAndLog(service, database, url, { connections, environment });
  await others();
  await compareInRounds(5, { "without a sweep": others, "beside a sweep": () => besideSweeps(storage, others) });
  kill([service]);
  await tracker.close();
  await pool.end();
}

/** The seconds of the work, and the processor time of this process and the database. */
async function timed(database: Database, work: () => Promise<void>): Promise<Figures> {
  const coresSince = watchCores({ "the database": [database.pid!] });
  const seconds = await secondsOf(work);
  const cores = coresSince();
  return {
    seconds,
    "s of the process": seconds * (cores["cores of the load"] ?? 0),
    "s of the database": seconds * (cores["cores of the database"] ?? 0),
    "cores of all else": cores["cores of all else"] ?? 0,
  };
}

async function beginAll(storage: MysqlStorage): Promise<void> {
  while (await storage.beginWatches(now));
}

async function sweepAll(storage: MysqlStorage): Promise<void> {
  while (await storage.sweep("default", now));
}

/** Every thousandth contact, who is no busy one, is no longer stored as a member of one audience. */
async function differ(pool: Pool): Promise<void> {
  await pool.query(
    `DELETE m FROM whodid_contacts c JOIN whodid_watches w ON w.audience_key = 'not_done'
     JOIN whodid_memberships m ON m.watch_id = w.id AND m.contact_id = c.id WHERE c.created_at % 1000 = 7`,
  );
}

/** One sweep follows the other after a second. Each rests after its steps. */
async function besideSweeps(storage: MysqlStorage, work: () => Promise<Figures>): Promise<Figures> {
  const stopping = new AbortController();
  const sweeping = sweepUntil(
    { storage, now: () => now, signal: stopping.signal },
    () => 0,
    console.error,
    () => sleep(1_000),
  );
  const figures = await work();
  stopping.abort();
  await sweeping;
  return figures;
}
