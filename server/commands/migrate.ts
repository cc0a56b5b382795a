import { mysqlMigrations } from "../../adapters/mysql/index.ts";
import { readDatabaseSettings, UsageError } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";

/** `migrate` brings the tables up to date; `migrate --print` shows the SQL, without a database. */
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
