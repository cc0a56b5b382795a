import { setTimeout as sleep } from "node:timers/promises";
import { createTracker } from "../../lib/index.ts";
import { deletionServer } from "../support/deletion.ts";
import { openMysql, type OpenedMysql } from "../support/mysql.ts";
import { onDatabase } from "./databases.ts";
import { percentile, timesBeside } from "./rounds.ts";

/** The p99 of writes in another workspace while one with so many contacts (100,000 by default) is deleted, as a share of the usual. */
export async function run(contacts = "100000"): Promise<void> {
  await onDatabase(deletionServer, async (server) => measure(await openMysql(server), Number(contacts)));
}

async function measure(opened: OpenedMysql, contacts: number): Promise<void> {
  await fill(opened, contacts);
  const tracker = createTracker({ storage: opened.storage });
  const usual = await p99During(opened, sleep(10_000));
  const begun = performance.now();
  const deletion = tracker.workspaces.delete("acme");
  const during = await p99During(opened, deletion);
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`deleted ${JSON.stringify(await deletion)} in ${seconds.toFixed(1)} s`);
  console.log(`p99 ${usual.toFixed(1)} ms, beside it ${during.toFixed(1)} ms: ${(during / usual).toFixed(2)}`);
  await opened.dispose();
}

async function fill({ pool }: OpenedMysql, count: number): Promise<void> {
  const perStatement = 10_000;
  const numbers = JSON.stringify(Array.from({ length: perStatement }, (_, index) => index));
  const from = "FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) numbers";
  for (let first = 0; first < count; first += perStatement) {
    const id = `UNHEX(LPAD(HEX(${first} + n), 32, '0'))`;
    for (const insert of [
      `whodid_contacts (id, workspace, email, attributes, created_at, updated_at)
       SELECT ${id}, 'acme', CONCAT(${first} + n, '@example.com'), '{}', 1, 1`,
      `whodid_events (id, workspace, contact_id, event_key, properties, created_at) SELECT ${id}, 'acme', ${id}, 'step', '{}', 1`,
      `whodid_summaries (contact_id, event_key, workspace, event_count, first_at, last_at) SELECT ${id}, 'step', 'acme', 1, 1, 1`,
    ])
      await pool.query(`INSERT INTO ${insert} ${from}`, [numbers]);
  }
}

/** Upserts and records one after another, in four series, until the work has ended. */
async function p99During({ storage }: OpenedMysql, work: Promise<unknown>): Promise<number> {
  const { contacts, events } = createTracker({ storage });
  const waits = await timesBeside(work, 4, async (writer, round) => {
    const email = `w${writer}_${round % 1_000}@example.com`;
    await contacts.upsert({ email, name: `${round}` });
    await events.track({ externalId: email, eventKey: "step" });
  });
  return percentile(waits, 0.99);
}
