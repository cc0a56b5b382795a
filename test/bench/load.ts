import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createConnection, type Connection, type RowDataPacket } from "mysql2/promise";
import { createTracker, type AttributeType, type Tracker } from "../../lib/index.ts";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { format } from "./rounds.ts";

interface Expected {
  contacts: number;
  events: number;
  eventsByKey: Record<string, number>;
  attributes: Record<string, AttributeType>;
}

/**
 * Sends a data set: `npm run bench -- load FOLDER NAME` through `handle`, with URL and KEY behind it to a server that has the
 * attributes (`PROVISION`) and no limit; with its DATABASE_URL the totals, and who did what more than 30 times, are counted by SQL too. Reads NAME.contacts.ndjson.gz, NAME.events.ndjson.gz and expected.json; asserts the
 * statuses, the totals, and that nothing is left of the contacts that it deletes.
 */
export async function run(folder = "", name = "", url?: string, givenKey?: string): Promise<void> {
  const all = JSON.parse(await readFile(join(folder, "expected.json"), "utf8")) as Record<string, Expected>;
  const expected = all[name]!;
  const linesOf = async (kind: string): Promise<string[]> =>
    gunzipSync(await readFile(join(folder, `${name}.${kind}.ndjson.gz`)))
      .toString()
      .trim()
      .split("\n");
  const contacts = await linesOf("contacts");
  const events = await linesOf("events");

  const tracker = createTracker({ storage: memoryStorage(), rateLimit: false });
  await tracker.provision({ attributes: Object.entries(expected.attributes).map(([key, type]) => ({ key, type })) });
  const key = givenKey ?? (await tracker.apiKeys.create({ name: "load" })).key;
  const send = createSend(url ? fetch : tracker.handle, url ?? "http://localhost/api/v1", key);

  assert.deepEqual(await postAll(send, "/contacts", contacts), { 201: expected.contacts });
  assert.deepEqual(await postAll(send, "/contacts", contacts), { 200: expected.contacts });
  assert.deepEqual(await postAll(send, "/events", events), { 201: expected.events });

  const externalIds = contacts.map((line) => (JSON.parse(line) as { externalId: string }).externalId);
  if (!url) await assertEventsByKey(tracker, externalIds, expected);
  const databaseUrl = process.env["DATABASE_URL"];
  if (url && databaseUrl) await assertTotalsBySql(databaseUrl, expected);
  // Over HTTP events are not listed: there the receipts of all contacts tell how many there were.
  const deleted = await deleteAll(send, url ? externalIds : externalIds.slice(0, 10));
  if (url) assert.equal(deleted, expected.events);
  else assert.equal((await tracker.contacts.list({ limit: 1_000 })).items.length, expected.contacts - 10);
  console.log(`contacts deleted with ${format(deleted)} events, nothing left of them`);
}

type Send = (method: string, path: string, body?: string) => Promise<{ status: number; json: unknown }>;

function createSend(door: (request: Request) => Promise<Response>, url: string, key: string): Send {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return async (method, path, body = "") => {
    const init = body === "" ? { method, headers } : { method, headers, body };
    const response = await door(new Request(`${url}${path}`, init));
    return { status: response.status, json: await response.json() };
  };
}

async function postAll(send: Send, path: string, lines: string[]): Promise<Record<string, number>> {
  const start = performance.now();
  const statuses: Record<string, number> = {};
  for (const line of lines) {
    const { status } = await send("POST", path, line);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const seconds = (performance.now() - start) / 1_000;
  console.log(`${path}: ${JSON.stringify(statuses)} in ${seconds.toFixed(2)} s, ${format(lines.length / seconds)}/s`);
  return statuses;
}

async function assertEventsByKey(tracker: Tracker, externalIds: string[], expected: Expected): Promise<void> {
  const counts: Record<string, number> = {};
  for (const externalId of externalIds) {
    const { items, nextCursor } = await tracker.events.list(externalId, { limit: 1_000 });
    assert.equal(nextCursor, null);
    for (const { eventKey } of items) counts[eventKey] = (counts[eventKey] ?? 0) + 1;
  }
  assert.deepEqual(counts, expected.eventsByKey);
  console.log(`events by key: ${JSON.stringify(counts)}`);
}

/** The events counted, and the summaries added up, by SQL. */
async function assertTotalsBySql(databaseUrl: string, expected: Expected): Promise<void> {
  const connection = await createConnection(databaseUrl);
  const totalsOf = async (sql: string): Promise<Record<string, number>> => {
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    return Object.fromEntries(rows.map(({ event_key: key, n }) => [String(key), Number(n)]));
  };
  const counted = await totalsOf("SELECT event_key, COUNT(*) AS n FROM whodid_events GROUP BY event_key");
  const summed = await totalsOf("SELECT event_key, SUM(event_count) AS n FROM whodid_summaries GROUP BY event_key");
  for (const eventKey of Object.keys(expected.eventsByKey)) await assertMembersBySql(databaseUrl, connection, eventKey);
  await connection.end();
  assert.deepEqual(counted, expected.eventsByKey);
  assert.deepEqual(summed, expected.eventsByKey);
  console.log(`events by key, counted by SQL: ${JSON.stringify(counted)}`);
}

/** Who did it more than 30 times, by the audience and by counting the events. */
async function assertMembersBySql(databaseUrl: string, connection: Connection, eventKey: string): Promise<void> {
  const tracker = createTracker({ storage: mysqlStorage(databaseUrl) });
  const rule = { kind: "count_greater_than", eventKey, count: 30 } as const;
  const { items } = await tracker.audiences.members(rule, { limit: 1_000 });
  const [rows] = await connection.query<RowDataPacket[]>(
    "SELECT LOWER(HEX(contact_id)) AS id FROM whodid_events WHERE event_key = ? GROUP BY 1 HAVING COUNT(*) > 30 ORDER BY 1",
    [eventKey],
  );
  const members = items.map(({ id }) => id.replaceAll("-", ""));
  assert.deepEqual(members, rows.map(({ id }) => id as string).slice(0, 1_000));
  await tracker.close();
  console.log(`${eventKey} more than 30 times: ${format(rows.length)} contacts, the members of the audience`);
}

async function deleteAll(send: Send, externalIds: string[]): Promise<number> {
  let events = 0;
  for (const externalId of externalIds) {
    const { status, json } = await send("DELETE", `/contacts/${externalId}`);
    assert.equal(status, 200);
    events += (json as { deleted: { events: number } }).deleted.events;
    assert.equal((await send("GET", `/contacts/${externalId}`)).status, 404);
    const event = JSON.stringify({ externalId, eventKey: "signup_completed" });
    assert.equal((await send("POST", "/events", event)).status, 404);
  }
  return events;
}
