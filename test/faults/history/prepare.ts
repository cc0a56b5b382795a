import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { query } from "../../support/queries.ts";
import { namesOf, pastKey, pastMs, pastStart, slots, type Step } from "./calls.ts";
import { createLog } from "./log.ts";
import { definitions } from "./other-methods.ts";
import { performCall } from "./perform-call.ts";
import { createOwnTable } from "./perform-transaction.ts";

const pastEvents = 1_600;

/** Makes the tables, the definitions, and contacts with events of the past, which calls prune. */
export async function prepare(url: string, log: string): Promise<void> {
  await query(url, createOwnTable);
  const storage = mysqlStorage(url);
  await storage.migrate();
  // What was recorded in the last hour is not pruned.
  const tracker = createTracker({ storage, rateLimit: false, now: () => new Date(pastStart + 2 * pastMs) });
  const pool = createPool(url);
  const application = { storage, tracker, pool };
  const note = createLog(log);
  try {
    await tracker.provision(definitions);
    const contacts = Array.from({ length: slots }, (_, slot): Step => {
      return { do: "upsert", slot, name: namesOf(slot).emails[0], fields: {} };
    });
    const events = Array.from({ length: pastEvents }, (_, index): Step => {
      const slot = index % slots;
      const createdAt = new Date(pastStart + Math.floor((pastMs / pastEvents) * index)).toISOString();
      return { do: "track", slot, name: namesOf(slot).emails[0], eventKey: pastKey, tag: `past/${index}`, createdAt };
    });
    await performCall(application, "contacts", { do: "many", steps: contacts }, note);
    await performCall(application, "past", { do: "many", steps: events, isQuiet: true }, note);
  } finally {
    await tracker.close();
    await pool.end();
  }
}
