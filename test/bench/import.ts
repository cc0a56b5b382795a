import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createConnection, type Connection, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import { itemsPerBatchMax } from "../../lib/model/limits.ts";
import type { Database } from "../support/database.ts";
import { inFolder, largeServer, onDatabase } from "./databases.ts";
import { eventLine, migrated, runWhodid, tell, writeFiles, type Measured } from "./importing.ts";
import { secondsOf } from "./rounds.ts";
import { kill, post, startWhodid } from "./services.ts";

/**
 * Imports contacts and events of three years, exports them again, and prints events/s and the largest memory, beside LOAD DATA of
 * the same rows into the same tables, a loop of `track`, and HTTP by batches of 500.
 */
export async function run(contacts = "200000", events = "2000000"): Promise<void> {
  await onDatabase(largeServer, (database) =>
    inFolder((folder) => compare(database, folder, Number(contacts), Number(events))),
  );
}

async function compare(database: Database, folder: string, contacts: number, events: number): Promise<void> {
  const files = await writeFiles(folder, contacts, events);
  const imported = await migrated(database);
  tell("import contacts", contacts, await runWhodid(imported, ["import", "contacts", files.contacts]));
  const own = tell("import events", events, await runWhodid(imported, ["import", "events", files.events]));
  tell("the same again", events, await runWhodid(imported, ["import", "events", files.events]), own);
  tell("export events", events, await runWhodid(imported, ["export", "events"], join(folder, "exported")), own);
  const loaded = await migrated(database);
  tell("LOAD DATA of the same rows", events, await loadData(imported, loaded), own);
  const some = Math.min(events, 20_000);
  tell("POST /events/batch by 500", some, await postBatches(imported, contacts, some), own);
  const few = Math.min(events, 2_000);
  tell("a loop of track", few, await trackOneByOne(imported, contacts, few), own);
}

/** Writes the tables of one schema to files, and measures how long the server takes to read those of events into the other. */
async function loadData(from: string, to: string): Promise<Measured> {
  const connection = await createConnection(to);
  const schema = new URL(from).pathname.slice(1);
  const [[found]] = await connection.query<RowDataPacket[]>("SELECT @@secure_file_priv AS place");
  let seconds = 0;
  for (const table of ["contacts", "events", "summaries"]) {
    const file = `'${join(String(found?.["place"]), `${randomUUID()}.rows`)}' CHARACTER SET binary`;
    const columns = await columnsOf(connection, `whodid_${table}`);
    await connection.query(`SELECT ${columns} INTO OUTFILE ${file} FROM ${schema}.whodid_${table}`);
    const into = `${file.replace(" CHARACTER", ` INTO TABLE whodid_${table} CHARACTER`)} (${columns})`;
    const taken = await secondsOf(() => connection.query(`LOAD DATA INFILE ${into}`));
    if (table !== "contacts") seconds += taken;
  }
  await connection.end();
  return { seconds };
}

/** Without those that the database computes. */
async function columnsOf(connection: Connection, table: string): Promise<string> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SHOW COLUMNS FROM ${table} WHERE Extra NOT LIKE '%GENERATED%'`,
  );
  return rows.map(({ Field }) => String(Field)).join(", ");
}

async function trackOneByOne(url: string, contacts: number, count: number): Promise<Measured> {
  const tracker = createTracker({ storage: mysqlStorage(url) });
  const start = performance.now();
  for (let n = 0; n < count; n++) await tracker.events.track(eventLine(n, contacts, count));
  await tracker.close();
  return { seconds: (performance.now() - start) / 1_000 };
}

async function postBatches(url: string, contacts: number, count: number): Promise<Measured> {
  const service = await startWhodid(url);
  const start = performance.now();
  for (let first = 0; first < count; first += itemsPerBatchMax) {
    const items = Array.from({ length: Math.min(itemsPerBatchMax, count - first) }, (_, n) =>
      eventLine(first + n, contacts, count),
    );
    const status = await post(service, "/events/batch", { items });
    if (status !== 200) throw new Error(`answered ${status}`);
  }
  const seconds = (performance.now() - start) / 1_000;
  kill([service]);
  return { seconds };
}
