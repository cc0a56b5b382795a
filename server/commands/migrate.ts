import { mysqlMigrations } from "../../adapters/mysql/index.ts";
import { readDatabaseSettings, UsageError } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";

/**
 * `migrate` creates or updates the tables; with `--views` also creates or replaces the views. With `--print` it prints the SQL and
 * needs no database.
 */
export async function migrate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readDatabaseSettings(environment);
  const options = new Set(args);
  if (options.size < args.length || !args.every((name) => name === "--print" || name === "--views"))
    throw new UsageError();
  const views = options.has("--views");
  if (options.has("--print")) {
    console.log(mysqlMigrations({ ...settings, views }));
    return;
  }
  const storage = openDatabase(settings);
  try {
    await explained(() => storage.migrate({ views }));
  } finally {
    await storage.close();
  }
  console.log(`The tables ${views ? "and views " : ""}are up to date.`);
}
