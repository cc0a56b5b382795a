import { mysqlMigrations } from "../../adapters/mysql/index.ts";
import { readDatabaseSettings } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";
import { readArguments } from "./database-command.ts";

/**
 * `migrate` creates or updates the tables; with `--views` also creates or replaces the views. With `--print` it prints the SQL and
 * needs no database.
 */
export async function migrate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { values } = readArguments(args, { views: { type: "boolean" }, print: { type: "boolean" } });
  const settings = readDatabaseSettings(environment);
  const { tablePrefix } = settings;
  const views = values["views"] === true;
  if (values["print"]) {
    console.log(mysqlMigrations({ tablePrefix, views }));
    return;
  }
  const storage = openDatabase(settings);
  try {
    const ran = await explained(() => storage.migrate({ views }));
    if (ran.length > 0) console.log(`Ran the migrations ${ran[0]} to ${ran.at(-1)}.`);
  } finally {
    await storage.close();
  }
  console.log(`The tables ${views ? "and views " : ""}are up to date.`);
}
