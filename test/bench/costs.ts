import { setTimeout as sleep } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import type { Database } from "../support/database.ts";
import { loadOnCores } from "./mysql-services.ts";
import type { Figures } from "./rounds.ts";
import type { Load, Service } from "./services.ts";

/** Loads the server, and adds the processor time of a request. Then waits until the changes in the database at `url` are logged. */
export async function loadAndLog(
  service: Service,
  database: Database,
  url: string,
  wanted: Omit<Load, "key" | "script">,
): Promise<Figures> {
  const figures = await loadOnCores(service, database, wanted);
  const waiting = await countWaiting(url);
  // Those left are not logged beside the next measurement.
  while ((await countWaiting(url)) > 0) await sleep(100);
  return { ...figures, "changes left": waiting };
}

/** Counts the changes that wait to be logged. */
export async function countWaiting(url: string): Promise<number> {
  const connection = await createConnection(url);
  const [[row]] = await connection.query<RowDataPacket[]>("SELECT COUNT(*) AS n FROM whodid_outbox");
  await connection.end();
  return Number(row!["n"]);
}
