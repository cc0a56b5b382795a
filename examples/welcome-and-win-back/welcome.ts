// A welcome mail for each new contact, and a row of the app for each order. Runs on MySQL if DATABASE_URL names an empty database;
// else on memory, as a unit test of the app does.
import assert from "node:assert/strict";
import { createPool, type PoolConnection } from "mysql2/promise";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";
import { mysqlStorage } from "whodid/mysql";

const url = process.env["DATABASE_URL"];
const pool = url ? createPool(url) : null;
await pool?.query("CREATE TABLE rewards (event_id VARCHAR(40) PRIMARY KEY)");
const mysql = pool && mysqlStorage(pool);
await mysql?.migrate();
const tracker = createTracker({ storage: mysql ?? memoryStorage() });
await tracker.subscriptions.define({ key: "mailer", on: { contacts: true } });
await tracker.subscriptions.define({ key: "rewards", on: { events: ["order_completed"] } });

const mails = new Map<string, string>();
const rewards: string[] = [];

// At least once: a mail service sends once for each id.
tracker.subscriptions.consume("mailer", (change) => {
  if (change.kind === "contact_created") mails.set(change.id, change.contact.email);
});
// Exactly once: the row commits together with the note that the change was handled.
tracker.subscriptions.consume("rewards", { transaction: true }, async ({ id }, { connection }) => {
  if (pool) await (connection as PoolConnection).execute("INSERT INTO rewards (event_id) VALUES (?)", [id]);
  else rewards.push(id);
});

await tracker.contacts.upsert({ email: "ada@example.com" });
const { event } = await tracker.events.track({ externalId: "ada@example.com", eventKey: "order_completed" });
const find = async () => (pool ? (await pool.query("SELECT event_id FROM rewards"))[0] : rewards);
const rewarded = pool ? [{ event_id: event.id }] : [event.id];
while (mails.size === 0 || ((await find()) as unknown[]).length === 0) await new Promise(setImmediate);
assert.deepEqual([[...mails.values()], await find()], [["ada@example.com"], rewarded]);
await tracker.close();
await pool?.end();
console.log("one mail, and one reward");
