import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createTracker, type AttributeType } from "../../lib/index.ts";
import { memoryStorage } from "../../adapters/memory.ts";
import { format } from "./rounds.ts";

interface Expected {
  contacts: number;
  events: number;
  eventsByKey: Record<string, number>;
  attributes: Record<string, AttributeType>;
}

/**
 * Sends a data set through `handle`: `npm run bench -- load FOLDER NAME` reads NAME.contacts.ndjson.gz, NAME.events.ndjson.gz and
 * expected.json; asserts the statuses and the totals, then deletes ten contacts and asserts that nothing is left of them.
 */
export async function run(folder = "", name = ""): Promise<void> {
  const all = JSON.parse(await readFile(join(folder, "expected.json"), "utf8")) as Record<string, Expected>;
  const expected = all[name]!;
  const tracker = createTracker({ storage: memoryStorage(), rateLimit: false });
  const { key } = await tracker.apiKeys.create({ name: "load" });
  for (const [attribute, type] of Object.entries(expected.attributes)) {
    await tracker.attributes.define({ key: attribute, type });
  }
  const linesOf = async (kind: string): Promise<string[]> =>
    gunzipSync(await readFile(join(folder, `${name}.${kind}.ndjson.gz`)))
      .toString()
      .trim()
      .split("\n");
  const send = async (method: string, path: string, body?: string): Promise<{ status: number; json: unknown }> => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const url = `http://localhost/api/v1${path}`;
    const response = await tracker.handle(
      new Request(url, body === undefined ? { method, headers } : { method, headers, body }),
    );
    return { status: response.status, json: await response.json() };
  };
  const sendAll = async (path: string, lines: string[]): Promise<Record<string, number>> => {
    const start = performance.now();
    const statuses: Record<string, number> = {};
    for (const line of lines) {
      const { status } = await send("POST", path, line);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    const seconds = (performance.now() - start) / 1_000;
    console.log(`${path}: ${JSON.stringify(statuses)} in ${seconds.toFixed(2)} s, ${format(lines.length / seconds)}/s`);
    return statuses;
  };

  const contacts = await linesOf("contacts");
  const events = await linesOf("events");
  assert.deepEqual(await sendAll("/contacts", contacts), { 201: expected.contacts });
  assert.deepEqual(await sendAll("/contacts", contacts), { 200: expected.contacts });
  assert.deepEqual(await sendAll("/events", events), { 201: expected.events });

  const externalIds = contacts.map((line) => (JSON.parse(line) as { externalId: string }).externalId);
  const counts: Record<string, number> = {};
  const countsOf = new Map<string, number>();
  for (const externalId of externalIds) {
    const { items, nextCursor } = await tracker.events.list(externalId, { limit: 1_000 });
    assert.equal(nextCursor, null);
    for (const { eventKey } of items) counts[eventKey] = (counts[eventKey] ?? 0) + 1;
    countsOf.set(externalId, items.length);
  }
  assert.deepEqual(counts, expected.eventsByKey);
  console.log(`events by key: ${JSON.stringify(counts)}`);

  for (const externalId of externalIds.slice(0, 10)) {
    const { status, json } = await send("DELETE", `/contacts/${externalId}`);
    assert.equal(status, 200);
    assert.equal((json as { deleted: { events: number } }).deleted.events, countsOf.get(externalId));
    assert.equal(await tracker.contacts.get(externalId), null);
    await assert.rejects(tracker.events.list(externalId), { code: "contact_not_found" });
  }
  const left = await tracker.contacts.list({ limit: 1_000 });
  assert.equal(left.items.length, expected.contacts - 10);
  console.log("10 contacts deleted, nothing left of them");
}
