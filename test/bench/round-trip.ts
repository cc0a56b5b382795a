import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../support/database.ts";
import { query } from "../support/queries.ts";
import { inFolder, largeServer, onDatabase } from "./databases.ts";
import { migrated, runWhodid, spawnWhodid, tell, writeFiles, type Files } from "./importing.ts";

const killsMax = 5;
const kinds = ["contacts", "events"] as const;

/** What differs from database to database, with one value for all. */
const ownValues = { contacts: { id: "", createdAt: "", updatedAt: "" }, events: { id: "", contactId: "" } };

/**
 * Imports events while the command is killed five times with `kill -9`, runs it again and counts; then exports all, imports that
 * into an empty database, exports it again, and compares the exports line by line.
 */
export async function run(contacts = "200000", events = "2000000"): Promise<void> {
  await onDatabase(largeServer, (database) =>
    inFolder((folder) => compare(database, folder, Number(contacts), Number(events))),
  );
}

async function compare(database: Database, folder: string, contacts: number, events: number): Promise<void> {
  const url = await importKilled(database, folder, contacts, events);
  const first = await exportAll(url, join(folder, "first"), contacts, events);
  const second = await importAll(database, first, contacts, events);
  const again = await exportAll(second, join(folder, "again"), contacts, events);
  for (const kind of kinds) console.log(`${await differing(kind, first[kind], again[kind])} ${kind} differ`);
}

/** Kills later each time, because each run begins with what is there. */
async function importKilled(database: Database, folder: string, contacts: number, events: number): Promise<string> {
  const files = await writeFiles(folder, contacts, events);
  const url = await migrated(database);
  await runWhodid(url, ["import", "contacts", files.contacts]);
  for (let kills = 1; kills <= killsMax; kills++) {
    const child = await spawnWhodid(url, ["import", "events", files.events]);
    await sleep(1_000 + (kills * events) / 400);
    child.kill("SIGKILL");
    const [, signal] = (await once(child, "close")) as [number, string];
    console.log(`killed: ${signal}, with ${await countsOf(url)}`);
  }
  tell("the last run", events, await runWhodid(url, ["import", "events", files.events]));
  console.log(`then ${await countsOf(url)}`);
  return url;
}

async function countsOf(url: string): Promise<string> {
  const [row] = await query(
    url,
    "SELECT (SELECT COUNT(*) FROM whodid_events) AS events, (SELECT SUM(event_count) FROM whodid_summaries) AS counted",
  );
  return `${row?.["events"]} events, ${row?.["counted"]} counted in summaries`;
}

async function exportAll(url: string, folder: string, contacts: number, events: number): Promise<Files> {
  const files = { contacts: `${folder}-contacts.ndjson`, events: `${folder}-events.ndjson` };
  tell("export contacts", contacts, await runWhodid(url, ["export", "contacts"], files.contacts));
  tell("export events", events, await runWhodid(url, ["export", "events"], files.events));
  return files;
}

async function importAll(database: Database, files: Files, contacts: number, events: number): Promise<string> {
  const url = await migrated(database);
  tell("import of that", contacts, await runWhodid(url, ["import", "contacts", files.contacts]));
  tell("import of that", events, await runWhodid(url, ["import", "events", files.events]));
  return url;
}

/** The number of lines that differ in more than ids, and times of contacts. Contacts come in any order. */
async function differing(kind: keyof Files, first: string, again: string): Promise<number> {
  const [one, other] = [await linesOf(kind, first), await linesOf(kind, again)];
  assert.equal(one.length, other.length);
  return one.filter((line, index) => line !== other[index]).length;
}

/** Hashes, because the lines themselves take much memory. */
async function linesOf(kind: keyof Files, file: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const row = JSON.parse(line) as Record<string, unknown>;
    lines.push(hash("sha256", JSON.stringify({ ...row, ...ownValues[kind] }), "base64"));
  }
  return kind === "contacts" ? lines.sort() : lines;
}
