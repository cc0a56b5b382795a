import { randomUUID } from "node:crypto";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import type { Database } from "../support/database.ts";
import { empty, fill } from "./mysql-filling.ts";
import { compareInRounds, format, median, secondsOf, timesOf, type Figures } from "./rounds.ts";
import { kill, load, startWhodid, startWhodidWithContacts, warmUp, type Service } from "./services.ts";

const contacts = 10_000;
const rounds = 5;
const contactsPerRound = 4;
const connections = 256;

/** Ten thousand contacts with as many events in all, against none: one contact's list and deletion, then everybody's speed. */
export async function full(database: Database, _folder: string, rows = "10000000"): Promise<void> {
  const eventsOfEach = Number(rows) / contacts;
  const few = await prepare(database, rounds * contactsPerRound, eventsOfEach);
  const many = await prepare(database, contacts, eventsOfEach);
  // What was written last is on the disk then, and nothing in memory.
  await database.restart();
  await compareContacts(few, many);
  await compareSpeeds(few, many);
}

/** A database in which as many of the contacts have events. */
async function prepare(database: Database, contactsWithEvents: number, eventsOfEach: number): Promise<string> {
  const url = await database.createDatabase();
  kill([await startWhodidWithContacts(url)]);
  const seconds = await secondsOf(() => fill(url, contactsWithEvents, eventsOfEach));
  console.log(`${format(contactsWithEvents * eventsOfEach)} events in ${format(seconds)} s`);
  return url;
}

/** A contact of as many events as everybody, alone and among all: each round lists and deletes others, then makes them anew. */
async function compareContacts(few: string, many: string): Promise<void> {
  console.log("\none contact, in process");
  const measure = (url: string) => {
    const tracker = createTracker({ storage: mysqlStorage(url) });
    let next = 0;
    const close = (): Promise<void> => tracker.close();
    const run = async (): Promise<Figures> => {
      // The connection, and its statements.
      await tracker.events.list(`user${contacts - 1}@example.com`, { limit: 50 });
      const emails = Array.from({ length: contactsPerRound }, () => `user${next++}@example.com`);
      const medianMs = async (work: (email: string) => Promise<unknown>): Promise<number> =>
        median(await timesOf(emails.length, (n) => work(emails[n]!)));
      return {
        "ms last 50 events": await medianMs((email) => tracker.events.list(email, { limit: 50 })),
        "ms again, from memory": await medianMs((email) => tracker.events.list(email, { limit: 50 })),
        "ms deletion": await medianMs((email) => deleteAndMakeAnew(tracker, email)),
      };
    };
    return { run, close };
  };
  const [alone, among] = [measure(few), measure(many)];
  await compareInRounds(rounds, { "alone with events": alone.run, "among all": among.run });
  await Promise.all([alone.close(), among.close()]);
}

async function deleteAndMakeAnew(tracker: Tracker, email: string): Promise<void> {
  const { events } = await tracker.contacts.delete(email);
  if (events === 0) throw new Error(`${email} had no events`);
  await tracker.contacts.upsert({ email });
}

/** The empty tables are emptied again before each round. */
async function compareSpeeds(few: string, many: string): Promise<void> {
  const [onEmpty, onFull] = [await startWhodid(few), await startWhodid(many)];
  await warmUp([onEmpty, onFull], connections);
  const measure = (service: Service, keyed: boolean) => async (): Promise<Figures> => {
    if (service === onEmpty) await empty(few);
    const environment: Record<string, string> = keyed ? { KEYED_BY: randomUUID() } : {};
    return load(service, { connections, environment });
  };
  for (const keyed of [false, true]) {
    console.log(`\n${connections} connections, ${keyed ? "each event with" : "no event with"} an Idempotency-Key`);
    await compareInRounds(rounds, { "empty tables": measure(onEmpty, keyed), "full tables": measure(onFull, keyed) });
  }
  kill([onEmpty, onFull]);
}
