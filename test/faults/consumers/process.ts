/** A process that writes events, or that handles the changes that they cause, until it is killed. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import mysql from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker, type Change } from "../../../lib/index.ts";
import { pick } from "../../support/random.ts";
import { handledTables, type Role } from "./roles.ts";

const emails = Array.from({ length: 40 }, (_, n) => `c${n}@example.com`);
const limits = { leaseSeconds: 2, tries: 2, firstPauseSeconds: 0.1, longestPauseSeconds: 0.5 };

const [url, role, concurrency] = process.argv.slice(2) as [string, Role, string];
// The database is killed: it is unreachable now and then.
const tracker = createTracker({ storage: mysqlStorage(url), onError: () => {} });

async function write(): Promise<never> {
  for (;;) {
    const event = { externalId: pick(emails), eventKey: "step" };
    await tracker.events.track(event, { idempotencyKey: randomUUID() }).catch(() => sleep(50));
  }
}

function consume(): void {
  const options = { ...limits, concurrency: Number(concurrency) };
  const pool = mysql.createPool({ uri: url, connectionLimit: 8 });
  pool.pool.on("connection", (connection) => void connection.on("error", () => {}));
  const insert = (table: string): string => `INSERT INTO ${table} (contact_id, change_id, process_id) VALUES (?, ?, ?)`;
  const valuesOf = ({ contact, id }: Change): (string | number)[] => [contact.id, id, process.pid];
  tracker.subscriptions.consume("reward", { ...options, transaction: true }, async (change, { connection }) => {
    await (connection as mysql.Connection).execute(insert(handledTables.reward), valuesOf(change));
    failNowAndThen(change);
    await stopIfAsked(change);
  });
  tracker.subscriptions.consume("mail", options, async (change) => {
    failNowAndThen(change);
    await pool.execute(insert(handledTables.mail), valuesOf(change));
  });
}

/** A few changes fail so often that their contact is parked. */
function failNowAndThen({ id }: Change): void {
  if (Math.random() < (id.endsWith("00") ? 0.7 : 0.02)) throw new Error("by chance");
}

let mustStop = false;

/**
 * Stops the whole process in the transaction of a handler, until the parent continues it. Tells the parent the change before and
 * after.
 */
async function stopIfAsked({ id }: Change): Promise<void> {
  if (!mustStop) return;
  mustStop = false;
  await tell(id);
  process.kill(process.pid, "SIGSTOP");
  await tell(id);
}

function tell(changeId: string): Promise<unknown> {
  return new Promise((resolve) => process.send!(changeId, resolve));
}

process.on("message", () => (mustStop = true));
process.on("disconnect", () => process.exit(0));
if (role === "consume") consume();
else for (let n = 0; n < 4; n++) void write();
