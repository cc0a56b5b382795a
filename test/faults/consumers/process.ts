/** A process that writes events, or that handles the changes that they cause, until it is killed. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import mysql from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker, type Change } from "../../../lib/index.ts";
import { pick } from "../../support/random.ts";
import { handledTables, type Role } from "./roles.ts";

const emails = Array.from({ length: 40 }, (_, n) => `c${n}@example.com`);
const options = { concurrency: 4, leaseSeconds: 2, tries: 100, firstPauseSeconds: 0.1, longestPauseSeconds: 0.5 };

const [url, role] = process.argv.slice(2) as [string, Role];
// The database is killed: it is unreachable now and then.
const tracker = createTracker({ storage: mysqlStorage(url), onError: () => {} });

async function write(): Promise<never> {
  for (;;) {
    const event = { externalId: pick(emails), eventKey: "step" };
    await tracker.events.track(event, { idempotencyKey: randomUUID() }).catch(() => sleep(50));
  }
}

function consume(): void {
  const pool = mysql.createPool({ uri: url, connectionLimit: 4 });
  pool.pool.on("connection", (connection) => void connection.on("error", () => {}));
  const insert = (table: string) => `INSERT INTO ${table} (contact_id, change_id) VALUES (?, ?)`;
  const valuesOf = ({ contact, id }: Change): string[] => [contact.id, id];
  tracker.subscriptions.consume("reward", { ...options, transaction: true }, async (change, { connection }) => {
    await (connection as mysql.Connection).execute(insert(handledTables.reward), valuesOf(change));
    failNowAndThen();
  });
  tracker.subscriptions.consume("mail", options, async (change) => {
    failNowAndThen();
    await pool.execute(insert(handledTables.mail), valuesOf(change));
  });
}

function failNowAndThen(): void {
  if (Math.random() < 0.02) throw new Error("by chance");
}

process.on("disconnect", () => process.exit(0));
if (role === "consume") consume();
else for (let n = 0; n < 4; n++) void write();
