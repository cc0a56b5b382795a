import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Database } from "../support/database.ts";
import { openTracker } from "./databases.ts";
import { compareInRounds, type Figures } from "./rounds.ts";
import { before, checkout } from "./services.ts";

const contacts = 1_000;
const writersAtOnce = 256;
const othersAtOnce = 8;

/** One contact written from one, two and four processes, while one more writes to all others; with BEFORE, by both versions. */
export async function hot(database: Database): Promise<void> {
  const candidates: Record<string, () => Promise<Figures>> = {};
  for (const [name, of] of Object.entries({ now: checkout, before })) {
    if (of === undefined) continue;
    const url = await database.createDatabase();
    await (await openTracker(url, contacts)).tracker.close();
    for (const count of [1, 2, 4]) candidates[`${name}, processes: ${count}`] = () => writeFrom(count, url, of);
  }
  await compareInRounds(5, candidates);
}

async function writeFrom(count: number, url: string, of: string): Promise<Figures> {
  const others = startWriter(url, of, [1, contacts - 1], othersAtOnce);
  const writers = await Promise.all(Array.from({ length: count }, () => startWriter(url, of, [0, 0], writersAtOnce)));
  return {
    "events/s of the one": writers.reduce((total, { perSecond }) => total + perSecond, 0),
    "ms p99 of the one": Math.max(...writers.map(({ p99 }) => p99)),
    "events/s of the others": (await others).perSecond,
    "ms p99 of the others": (await others).p99,
  };
}

async function startWriter(
  url: string,
  of: string,
  [first, last]: [first: number, last: number],
  atOnce: number,
): Promise<{ perSecond: number; p99: number }> {
  const env = {
    ...process.env,
    CHECKOUT: of,
    DATABASE_URL: url,
    FIRST_CONTACT: String(first),
    LAST_CONTACT: String(last),
    AT_ONCE: String(atOnce),
    SECONDS: "4",
  };
  const script = join(import.meta.dirname, "mysql-writer.js");
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
  return JSON.parse(stdout) as { perSecond: number; p99: number };
}
