import { fetchServerProgram } from "../support/database-program.ts";
import { startThrowawayServer } from "../support/database-server.ts";
import { openDatabase, type Database } from "../support/database.ts";
import type { PackageSet } from "../support/packages.ts";
import { query } from "../support/queries.ts";

/** Debian has MySQL in its unstable suite alone, which moves: nothing may need this. */
const packages: PackageSet = { name: "mysql", choices: [["mysql-server-core"]], suite: "unstable" };

const wanted = "9.7";

/** Starts MySQL 9.7 as Debian has it. `unavailable` says why it cannot. */
export async function startMysql(serverArguments: readonly string[] = []): Promise<Database | { unavailable: string }> {
  const program = await fetchServerProgram(packages, "mysqld");
  if (program === null) return { unavailable: "apt-get cannot fetch it here" };
  const server = await startThrowawayServer(program, serverArguments).catch((error: unknown) => String(error));
  if (typeof server === "string") return { unavailable: server };
  const database = await openDatabase(server);
  const [row] = await query(database.url, "SELECT VERSION() AS version");
  const version = String(row!["version"]);
  if (version.startsWith(`${wanted}.`)) return database;
  await database.stop();
  return { unavailable: `Debian has ${version} by now` };
}
