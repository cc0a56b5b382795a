/** Kills writers, consumers and the database while changes are handled, and compares the rows of the handlers with the log. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type Pool } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../../lib/index.ts";
import { checkNodes, waitUntilHandled } from "./check.ts";
import { harm, type Extent, type Servers } from "./harms.ts";
import { startRetrying } from "./parked.ts";
import { startProcesses } from "./processes.ts";
import { handledTables } from "./roles.ts";

export type { Extent } from "./harms.ts";

export async function killConsumers(servers: Servers, extent: Extent): Promise<{ statuses: Record<string, number> }> {
  const [url] = servers.urls as [string];
  const pool = mysql.createPool(url);
  const tracker = createTracker({ storage: mysqlStorage(url), onError: () => {} });
  await prepare(tracker, pool, url);
  const began = performance.now();
  const processes = startProcesses(servers.urls);
  const retrying = startRetrying(tracker);
  try {
    const harms = await harm(servers, pool, processes, extent);
    await processes.kill("write");
    await servers.settle();
    await waitUntilHandled(url);
    const seconds = (performance.now() - began) / 1_000;
    await processes.kill();
    const counts = await checkNodes(servers.urls);
    const parked = await retrying.stop();
    assert.ok(parked > 0, "contacts were parked");
    return { statuses: { ...harms, ...counts, parked, "changes/s": Math.round(counts.changes / seconds) } };
  } finally {
    await retrying.stop();
    await processes.kill();
    await tracker.close();
    await pool.end();
  }
}

async function prepare(tracker: Tracker, pool: Pool, url: string): Promise<void> {
  for (const table of Object.values(handledTables)) {
    await pool.query(
      `CREATE TABLE ${table} (number BIGINT AUTO_INCREMENT PRIMARY KEY, contact_id CHAR(36), change_id CHAR(36), process_id INT,
KEY (change_id)) ENGINE=InnoDB`,
    );
  }
  const storage = mysqlStorage(url);
  await storage.migrate();
  await storage.close();
  for (let n = 0; n < 40; n++) await tracker.contacts.upsert({ email: `c${n}@example.com` });
  for (const key of Object.keys(handledTables)) {
    const { startsAt } = await tracker.subscriptions.define({ key, on: { events: true } });
    await sleep(Math.max(0, Date.parse(startsAt) - Date.now()));
  }
}
