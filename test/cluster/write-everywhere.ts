import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import { createLedger } from "../faults/ledger.ts";
import { query } from "../support/queries.ts";
import { within } from "../support/within.ts";
import { assertExact, checklist } from "./exactness.ts";
import type { Galera } from "./galera.ts";
import {
  managedOrder,
  order,
  post,
  send,
  sendToAll,
  type Application,
  type Known,
  type ManagedApplication,
} from "./writers.ts";

/** How many writers of each kind a node has. */
export interface Writers {
  /** Record an order and its event in one transaction. */
  callers?: number;
  /** Record an order and its event in one transaction that the storage begins and ends. */
  managed?: number;
  /** Record events without a key. */
  senders?: number;
  /** Record events with a key, each through all nodes at once. */
  keyedSenders?: number;
  /** Change contacts. */
  posters: number;
}

const loadMs = 10_000;

/** All write the events of few contacts, and after a moment those of the next. */
const contacts = Array.from({ length: 200 }, (_, index) => `user${index}@example.com`);
const contactsAtOnce = 4;
const momentMs = 200;

/** Writes through all three nodes at once to the same contacts, and asserts that what they hold is exact. */
export async function writeEverywhere(galera: Galera, writers: Writers): Promise<void> {
  const urls = galera.urlsOf(await galera.database.createDatabase());
  await prepare(urls[0]!);
  const applications = urls.map((url) => ({
    tracker: createTracker({ storage: mysqlStorage(url) }),
    pool: createPool({ uri: url, connectionLimit: writers.callers ?? 1 }),
  }));
  const known: Known = { ledger: createLedger(), orders: new Set(), announced: [], answers: {} };
  try {
    const [first] = applications;
    for (const email of contacts) {
      const { contact } = await first!.tracker.contacts.upsert({ email });
      known.ledger.contacts.push({ email, id: contact.id, created: true, tries: 1 });
    }
    await within(loadMs * 6, "all being acknowledged", write(applications, writers, known));
  } finally {
    for (const { tracker, pool } of applications) await Promise.all([tracker.close(), pool.end()]);
  }
  console.log(`writers on three nodes: ${JSON.stringify(known.answers)}`);
  // From here on a new connection reads what every node has committed.
  await galera.onEach("SET GLOBAL wsrep_sync_wait = 1");
  await assertExact(urls, known);
  await galera.onEach("SET GLOBAL wsrep_sync_wait = 0");
}

async function prepare(url: string): Promise<void> {
  const storage = mysqlStorage(url);
  await storage.migrate();
  const tracker = createTracker({ storage });
  await tracker.checklists.define(checklist);
  await tracker.close();
  await query(url, "CREATE TABLE orders (id INT PRIMARY KEY) ENGINE=InnoDB");
}

async function write(
  applications: readonly (Application & ManagedApplication)[],
  { callers = 0, managed = 0, senders = 0, keyedSenders = 0, posters }: Writers,
  known: Known,
): Promise<void> {
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  let numbers = 0;
  const anyContact = (): string => {
    const moment = Math.floor(elapsed() / momentMs);
    return contacts[(moment * contactsAtOnce + Math.floor(Math.random() * contactsAtOnce)) % contacts.length]!;
  };
  const repeat = async (act: (number: number, externalId: string) => Promise<void>): Promise<void> => {
    while (elapsed() < loadMs) await act(++numbers, anyContact());
  };
  const loops = applications.flatMap((application) => [
    ...Array.from({ length: callers }, () => repeat((number, id) => order(application, known, number, id))),
    ...Array.from({ length: managed }, () => repeat((number, id) => managedOrder(application, known, number, id))),
    ...Array.from({ length: senders }, () => repeat((number, id) => send(application, known, number, id))),
    ...Array.from({ length: keyedSenders }, () => repeat((number, id) => sendToAll(applications, known, number, id))),
    ...Array.from({ length: posters }, () => repeat((number, id) => post(application, known, number, id))),
  ]);
  await Promise.all(loops);
}
