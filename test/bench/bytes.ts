import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../support/database.ts";
import { query } from "../support/queries.ts";
import { emailOf, indexSizes, onDatabase, openTracker } from "./databases.ts";
import { format } from "./rounds.ts";

const contacts = 10_000;
const properties = { page: "settings" };

/** The bytes that an event takes on disk, in its row and in each index: without Idempotency-Keys, and with them. Then those of its change. */
export async function run(events = "300000"): Promise<void> {
  await onDatabase(["--innodb-buffer-pool-size=512M"], (database) => measure(database, Number(events)));
}

async function measure(database: Database, events: number): Promise<void> {
  console.log(
    `Bytes an event: ${format(events)} events of ${format(contacts)} contacts in random order, ${JSON.stringify(properties).length} bytes of properties`,
  );
  for (const isKeyed of [false, true]) {
    const url = await database.createDatabase();
    await fill(url, events, isKeyed);
    for (const [when, statement] of [
      ["as recorded", "ANALYZE"],
      ["after OPTIMIZE TABLE", "OPTIMIZE"],
    ] as const) {
      await query(url, `${statement} TABLE whodid_events`);
      const sizes = await indexSizes(url, "whodid_events");
      const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / events;
      const parts = sizes.map(([index, bytes]) => `${index} ${format(bytes / events)}`);
      console.log(`${isKeyed ? "with keys" : "without keys"}, ${when}: ${format(total)} (${parts.join(", ")})`);
    }
  }
  await measureChanges(await database.createDatabase(), events);
}

/** Of the same events, in the log. */
async function measureChanges(url: string, events: number): Promise<void> {
  const { tracker } = await openTracker(url, 0);
  const { startsAt } = await tracker.subscriptions.define({ key: "all", on: { events: true } });
  await sleep(Math.max(0, Date.parse(startsAt) - Date.now()));
  await fill(url, events, false);
  await tracker.work({ until: "caught-up" });
  await tracker.close();
  await query(url, "ANALYZE TABLE whodid_changes");
  const sizes = await indexSizes(url, "whodid_changes");
  console.log(`bytes a change: ${sizes.map(([name, bytes]) => `${name} ${format(bytes / events)}`).join(", ")}`);
}

async function fill(url: string, events: number, isKeyed: boolean): Promise<void> {
  const { tracker } = await openTracker(url, contacts);
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
