import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, type Storage, type Tracker } from "../../lib/index.ts";
import { query } from "../support/queries.ts";
import { onDatabase, openTracker } from "./databases.ts";
import { format } from "./rounds.ts";

const did = { kind: "has_done", eventKey: "step" } as const;

/** 411 kB: the most that a contact's attributes can have. */
const large = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, "x".repeat(4_096)]));

const lists: Record<string, string> = {
  contacts: "/contacts?limit=1000",
  "contacts, 100": "/contacts",
  members: "/audiences/did/members?limit=1000",
  "recent events": "/events?limit=1000",
  events: "/contacts/c0@example.com/events?limit=1000",
  changes: "/subscriptions/all/changes?limit=1000",
  "recent changes": "/subscriptions/all/changes/recent?limit=1000",
  parked: "/subscriptions/all/parked?limit=1000",
};

/** The largest page of each list of large rows: its size, its time, the longest block of the event loop, and its memory. */
export async function run(contacts = "1000"): Promise<void> {
  const memory = memoryStorage();
  await measure("memory", memory, Number(contacts), async () => 0);
  await memory.close();
  await onDatabase(["--innodb-buffer-pool-size=2G"], async ({ url }) => {
    const { storage } = await openTracker(url, 0);
    await measure("MySQL", storage, Number(contacts), async () => {
      const rows = await query(url, "SHOW GLOBAL STATUS LIKE '%ows_read'");
      return Math.max(...rows.map((row) => Number(row["Value"])));
    });
    await storage.close();
  });
}

async function measure(
  name: string,
  storage: Storage,
  contacts: number,
  rowsRead: () => Promise<number>,
): Promise<void> {
  const tracker = createTracker({ storage, rateLimit: false, onError: () => {} });
  await fill(tracker, contacts);
  const { key } = await tracker.apiKeys.create({ name: "bench", access: "read" });
  console.log(`${name}, ${format(contacts)} contacts of 411 kB, each with an event of 411 kB`);
  const get = async (path: string): Promise<{ body: string }> => {
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await tracker.handle(new Request(`http://localhost/api/v1${path}`, { headers }));
    if (!answer.ok) throw new Error(await answer.text());
    return { body: await answer.text() };
  };
  for (const [list, path] of Object.entries(lists)) {
    const before = await rowsRead();
    const { result, words } = await watched(() => get(path));
    const { items } = JSON.parse(result.body) as { items: unknown[] };
    const read = (await rowsRead()) - before;
    console.log(
      `  ${list.padEnd(16)} ${items.length} rows, ${format(result.body.length / 1e6)} MB, ${words}, ${format(read)} rows read`,
    );
  }
  for (const loop of ["each", "pages of 100"] as const) {
    const before = await rowsRead();
    const { result, words } = await watched(() => countAll(tracker, loop));
    const read = (await rowsRead()) - before;
    console.log(`  ${loop.padEnd(16)} ${format(result)} rows to the end, ${words}, ${format(read)} rows read`);
  }
  await tracker.close();
}

async function countAll({ contacts }: Tracker, loop: "each" | "pages of 100"): Promise<number> {
  let count = 0;
  if (loop === "each") for await (const _ of contacts.each()) count++;
  for (let cursor: string | undefined; loop !== "each";) {
    const page = await contacts.list({ cursor });
    count += page.items.length;
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return count;
}

/** The contacts are small before the fifth of the attributes is set, so that no write is too large for a server. */
async function fill(tracker: Tracker, contacts: number): Promise<void> {
  for (const attribute of Object.keys(large)) await tracker.attributes.define({ key: attribute, type: "text" });
  await tracker.audiences.define({ key: "did", name: "Did", rule: did });
  await tracker.subscriptions.define({ key: "all", on: { events: true } });
  for (let n = 0; n < contacts; n++) {
    const externalId = `c${n}@example.com`;
    await tracker.contacts.upsert({ email: externalId, customAttributes: large });
    await tracker.events.track({ externalId, eventKey: "step", properties: large });
  }
  for (let n = 1; n < contacts / 4; n++) {
    await tracker.events.track({ externalId: "c0@example.com", eventKey: "other", properties: large });
  }
  const fail = (): never => {
    throw new Error("no");
  };
  await tracker.subscriptions.consume("all", { until: "caught-up", tries: 1, concurrency: 16 }, fail).catch(() => {});
}

/** Runs the work, and describes its time, the longest block of the event loop, and by how much the memory grew. */
async function watched<Result>(work: () => Promise<Result>): Promise<{ result: Result; words: string }> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  const result = await work();
  const ms = performance.now() - begun;
  // What kept the event loop until the end shows afterwards.
  await sleep(20);
  delay.disable();
  clearInterval(sampling);
  most = Math.max(most, process.memoryUsage.rss());
  return {
    result,
    words: `${format(ms)} ms, at most ${format(delay.max / 1e6)} in one piece, ${format((most - before) / 1e6)} MB`,
  };
}
