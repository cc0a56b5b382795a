/** Kills writers and those who send messages, and compares what the receiver has got with the log. */
import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { startReceiver, type Received } from "../../support/webhook-receiver.ts";
import { patienceMs } from "../consumers/processes.ts";
import { countRows } from "../consumers/rows.ts";
import { groupBy } from "../groups.ts";

const roles = ["write", "write", "write", "send", "send"] as const;
const contacts = 200;
const tryMs = 1_000;

/** Each process that sends is killed so often, after the receiver has answered 200 and before the progress is stored. */
export interface Extent {
  changes: number;
  kills: number;
}

export async function killDeliveries(url: string, { changes, kills }: Extent): Promise<Record<string, number>> {
  const delivered: Received[] = [];
  let toKill = false;
  const receiver = await startReceiver((message, response) => {
    const chance = Math.random();
    if (chance < 0.14) return 500;
    if (chance < 0.17) return void response.destroy();
    // Never answers.
    if (chance < 0.2) return undefined;
    delivered.push(message);
    response.writeHead(200).end(() => {
      if (toKill) for (const index of [3, 4]) void children[index]!.kill("SIGKILL");
      toKill = false;
    });
    return undefined;
  });
  const storage = mysqlStorage(url);
  await storage.migrate();
  const tracker = createTracker({ storage, webhookAllow: [receiver.host], onError: () => {} });
  for (let n = 0; n < contacts; n++) await tracker.contacts.upsert({ email: `c${n}@example.com` });
  const { startsAt } = await tracker.subscriptions.define({ key: "partner", on: { events: true }, url: receiver.url });
  receiver.trust((await tracker.subscriptions.createSecret("partner")).secret);
  await sleep(Math.max(0, Date.parse(startsAt) - Date.now()));
  const pool = mysql.createPool(url);
  const program = join(import.meta.dirname, `process${extname(import.meta.filename)}`);
  const start = (role: string): ChildProcess =>
    fork(program, [url, role, receiver.host, String(contacts), String(tryMs)], { execArgv: [] });
  const children = roles.map(start);
  const began = performance.now();
  try {
    for (let step = 1; step <= kills; step++) {
      await until(() => countRows(pool, "whodid_events"), (step / (kills + 1)) * changes);
      const senders = children.slice(3);
      toKill = true;
      await Promise.all(senders.map((child) => once(child, "exit")));
      children.splice(3, 2, ...roles.slice(3).map(start));
    }
    await until(() => countRows(pool, "whodid_events"), changes);
    await Promise.all(children.slice(0, 3).map(stop));
    const log = await readLog(pool);
    const total = [...log.values()].reduce((sum, own) => sum + own.length, 0);
    await until(() => new Set(delivered.map(({ id }) => id)).size, total);
    const got = groupBy(delivered, ({ data }) => data.contact.id);
    for (const [contact, own] of log) {
      const first = [...new Set(got.get(contact)!.map(({ id }) => id))];
      assert.deepEqual(first, own, "a contact's messages come in the order of its changes");
    }
    const { state } = await tracker.subscriptions.webhook("partner");
    assert.equal(state, "delivering");
    const seconds = (performance.now() - began) / 1_000;
    return {
      changes: total,
      repeats: delivered.length - total,
      kills: 2 * kills,
      "messages/s": Math.round(total / seconds),
    };
  } finally {
    await Promise.all(children.map(stop));
    await pool.end();
    await tracker.close();
    await receiver.close();
  }
}

/** Waits until there are so many. Rejects when there are no more of them for a time. */
async function until(count: () => Promise<number> | number, least: number): Promise<void> {
  for (let best = 0, since = performance.now(); ; await sleep(100)) {
    const found = await count();
    if (found >= least) return;
    if (found > best) [best, since] = [found, performance.now()];
    assert.ok(performance.now() - since < patienceMs, `${found} of ${least}`);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** The ids of the changes, by contact, in the order of the log. */
async function readLog(pool: Pool): Promise<Map<string, string[]>> {
  while ((await countRows(pool, "whodid_outbox")) > 0) await sleep(100);
  const [rows] = await pool.query<RowDataPacket[]>(
    "SELECT LOWER(HEX(contact_id)) AS contact, LOWER(HEX(change_id)) AS id FROM whodid_changes ORDER BY position",
  );
  const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  const groups = groupBy(rows, (row) => dashed(row["contact"] as string));
  return new Map([...groups].map(([contact, own]) => [contact, own.map((row) => dashed(row["id"] as string))]));
}
