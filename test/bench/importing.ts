import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { NewEvent } from "../../lib/index.ts";
import type { Database } from "../support/database.ts";
import { eventKeys, openTracker } from "./databases.ts";
import { format } from "./rounds.ts";

const main = join(import.meta.dirname, "../../server/main.js");
const threeYearsMs = 3 * 365 * 86_400_000;

/** Files of rows to import. */
export interface Files {
  contacts: string;
  events: string;
}

/** Writes contacts, and events of three years, in order of time until now. */
export async function writeFiles(folder: string, contacts: number, events: number): Promise<Files> {
  const files = { contacts: join(folder, "contacts.ndjson"), events: join(folder, "events.ndjson") };
  await writeLines(files.contacts, contacts, contactLine);
  await writeLines(files.events, events, (n) => eventLine(n, contacts, events));
  return files;
}

export interface Measured {
  seconds: number;
  /** The largest memory of the process. */
  megabytes?: number;
  /** The size of what it wrote. */
  bytes?: number;
}

/** Prints the rate, also as a share of the import's, and returns it. */
export function tell(what: string, count: number, { seconds, megabytes, bytes }: Measured, own?: number): number {
  const rate = count / seconds;
  const parts = [
    `${format(rate)}/s in ${format(seconds)} s`.padEnd(28),
    (megabytes === undefined ? "" : `${format(megabytes)} MB at most`).padEnd(16),
    own === undefined ? "" : `${format(rate / own)} of the import`,
    bytes === undefined ? "" : `${format(bytes / 1_000_000 / seconds)} MB/s`,
  ];
  console.log([what.padEnd(28), ...parts].join(" "));
  return rate;
}

function contactLine(n: number): object {
  return { email: `user${n}@example.com`, externalId: `u_${n}`, name: `User ${n}`, plan: n % 3 === 0 ? "pro" : "free" };
}

/** Events of contacts in turns, in order of time, until now. */
export function eventLine(n: number, contacts: number, events: number): NewEvent {
  return {
    externalId: `u_${(n * 7_919) % contacts}`,
    eventKey: eventKeys[n % eventKeys.length]!,
    createdAt: new Date(Date.now() - threeYearsMs + (n / events) * threeYearsMs).toISOString(),
    properties: { plan: "pro", amount: n % 1_000, trial: n % 2 === 0 },
  };
}

async function writeLines(file: string, count: number, lineOf: (n: number) => object): Promise<void> {
  const stream = createWriteStream(file);
  for (let n = 0; n < count; n++) {
    if (!stream.write(`${JSON.stringify(lineOf(n))}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
}

export async function migrated(database: Database): Promise<string> {
  const url = await database.createDatabase();
  await (await openTracker(url, 0)).tracker.close();
  return url;
}

/** Starts the command. What it prints goes into the file, if one is given. */
export async function spawnWhodid(url: string, args: string[], output?: string): Promise<ChildProcess> {
  const file = output === undefined ? null : await open(output, "w");
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", file?.fd ?? "ignore", "inherit"],
  });
  await file?.close();
  return child;
}

/** Runs the command to its end. Its memory is that which Linux calls VmHWM. */
export async function runWhodid(url: string, args: string[], output?: string): Promise<Measured> {
  const start = performance.now();
  const child = await spawnWhodid(url, args, output);
  let megabytes = 0;
  const watch = async (): Promise<void> => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    megabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? megabytes * 1_024) / 1_024;
  };
  const watching = setInterval(() => void watch(), 100);
  const [code] = (await once(child, "close")) as [number];
  clearInterval(watching);
  if (code !== 0) throw new Error(`whodid ${args.join(" ")} ended with ${code}`);
  const seconds = (performance.now() - start) / 1_000;
  return { seconds, megabytes, ...(output !== undefined && { bytes: (await stat(output)).size }) };
}
