import { setTimeout as sleep } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import type { Database } from "../support/database.ts";
import { watchCores } from "./cores.ts";
import { key, ownScript } from "./mysql-services.ts";
import type { Figures } from "./rounds.ts";
import { load, type Load, type Service } from "./services.ts";

/** Loads the server, and adds the processor time of a request. Then waits until the changes in the database at `url` are logged. */
export async function loadAndLog(
  service: Service,
  database: Database,
  url: string,
  wanted: Omit<Load, "key" | "script">,
): Promise<Figures> {
  const coresSince = watchCores({ "the server": [service.process.pid!], "the database": [database.pid!] });
  const figures = await load(service, { key, script: ownScript, ...wanted });
  const cores = coresSince();
  const waiting = await countWaiting(url);
  // Those left are not logged beside the next measurement.
  while ((await countWaiting(url)) > 0) await sleep(100);
  const microsecondsOf = (name: string): number => ((cores[`cores of ${name}`] ?? 0) / figures["requests/s"]!) * 1e6;
  return {
    ...figures,
    "µs of the server": microsecondsOf("the server"),
    "µs of the database": microsecondsOf("the database"),
    "cores of all else": cores["cores of all else"] ?? 0,
    "changes left": waiting,
  };
}

/** Counts the changes that wait to be logged. */
export async function countWaiting(url: string): Promise<number> {
  const connection = await createConnection(url);
  const [[row]] = await connection.query<RowDataPacket[]>("SELECT COUNT(*) AS n FROM whodid_outbox");
  await connection.end();
  return Number(row!["n"]);
}
