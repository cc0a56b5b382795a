import { mysqlMigrations } from "../../adapters/mysql/index.ts";
import { readDatabaseSettings, UsageError } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";

/** `migrate` creates or updates the tables. `migrate --print` prints the SQL and needs no database. */
export async function migrate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readDatabaseSettings(environment);
  if (args.length === 1 && args[0] === "--print") {
    console.log(mysqlMigrations(settings));
    return;
  }
  if (args.length > 0) throw new UsageError();
  const storage = openDatabase(settings);
  try {
    await explained(() => storage.migrate());
  } finally {
    await storage.close();
  }
  console.log("The tables are up to date.");
}
