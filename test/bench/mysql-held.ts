import { setTimeout as sleep } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import type { Database } from "../support/database.ts";
import { compareInRounds, type Figures } from "./rounds.ts";
import { kill, load, post, startWhodidWithContacts, warmUp, type Service } from "./services.ts";

const connections = 64;
const writers = 4;
const seconds = 10;
const pauseMs = 100;
const heldContact = "user0@example.com";

/** How all other contacts fare while a caller's transaction holds one for 10 s, to which four clients write all the same. */
export async function held(database: Database): Promise<void> {
  const service = await startWhodidWithContacts(database.url);
  await warmUp([service], connections);
  const usual = (): Promise<Figures> => loadOthers(service);
  await compareInRounds(5, { usual, held: () => whileHeld(database.url, usual) });
  kill([service]);
}

async function loadOthers(service: Service): Promise<Figures> {
  const stop = new AbortController();
  const writing = Array.from({ length: writers }, () => writeToHeld(service, stop.signal));
  const environment = { FIRST_CONTACT: "1" };
  const figures = await load(service, { connections, seconds, environment });
  stop.abort();
  const answers = (await Promise.all(writing)).flat();
  const refused = answers.filter((status) => status === 503).length;
  return { ...figures, "writes to the one answered 201": answers.length - refused, "answered 503": refused };
}

/** Waits between writes, so that as many are sent while they are answered at once. */
async function writeToHeld(service: Service, signal: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  while (!signal.aborted) {
    const status = await post(service, "/events", { externalId: heldContact, eventKey: "page_viewed" });
    if (status !== 201 && status !== 503) throw new Error(`answered ${status}`);
    statuses.push(status);
    await sleep(pauseMs);
  }
  return statuses;
}

async function whileHeld(databaseUrl: string, measure: () => Promise<Figures>): Promise<Figures> {
  const connection = await createConnection(databaseUrl);
  const storage = mysqlStorage(databaseUrl);
  try {
    await connection.beginTransaction();
    const caller = createTracker({ storage }).within(connection);
    await caller.events.track({ externalId: heldContact, eventKey: "purchase_completed" });
    const figures = await measure();
    await connection.commit();
    return figures;
  } finally {
    await connection.end();
    await storage.close();
  }
}
