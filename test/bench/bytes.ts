import { createConnection, type Connection, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import { startDatabase } from "../support/database.ts";
import { format } from "./rounds.ts";

const contacts = 10_000;
const properties = { page: "settings" };

/** The bytes that an event takes on disk, in its row and in each index: without Idempotency-Keys, and with them. */
export async function run(eventsGiven = "300000"): Promise<void> {
  const events = Number(eventsGiven);
  const database = await startDatabase({ serverArguments: ["--innodb-buffer-pool-size=512M"] });
  if ("unavailable" in database) return;
  console.log(
    `Bytes an event: ${format(events)} events of ${format(contacts)} contacts in random order, ${JSON.stringify(properties).length} bytes of properties`,
  );
  for (const isKeyed of [false, true]) {
    const url = await database.createDatabase();
    const connection = await createConnection(url);
    await fill(url, events, isKeyed);
    for (const [when, statement] of [
      ["as recorded", "ANALYZE"],
      ["after OPTIMIZE TABLE", "OPTIMIZE"],
    ] as const) {
      await connection.query(`${statement} TABLE whodid_events`);
      const sizes = await sizesOf(connection);
      const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / events;
      const parts = sizes.map(([index, bytes]) => `${index} ${format(bytes / events)}`);
      console.log(`${isKeyed ? "with keys" : "without keys"}, ${when}: ${format(total)} (${parts.join(", ")})`);
    }
    await connection.end();
  }
  await database.stop();
}

async function fill(url: string, events: number, isKeyed: boolean): Promise<void> {
  const storage = mysqlStorage(url);
  await storage.migrate();
  const tracker = createTracker({ storage });
  const emailOf = (n: number): string => `user${n}@example.com`;
  await tracker.contacts.upsertMany(Array.from({ length: contacts }, (_, n) => ({ email: emailOf(n) })));
  await tracker.events.trackMany(
    Array.from({ length: events }, (_, n) => ({
      externalId: emailOf(Math.floor(Math.random() * contacts)),
      eventKey: "page_viewed",
      properties,
      ...(isKeyed && { idempotencyKey: `key-${n}` }),
    })),
  );
  await tracker.close();
}

/** In bytes, by index of the table of events. The clustered index, PRIMARY, holds the rows. */
async function sizesOf(connection: Connection): Promise<[index: string, bytes: number][]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT index_name, stat_value * @@innodb_page_size AS bytes FROM mysql.innodb_index_stats
WHERE database_name = DATABASE() AND table_name = 'whodid_events' AND stat_name = 'size'`,
  );
  return rows.map((row): [string, number] => [String(row["index_name"]), Number(row["bytes"])]);
}
