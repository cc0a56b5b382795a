import { memoryStorage } from "../adapters/memory/index.ts";
import { mysqlStorage, type MysqlStorage } from "../adapters/mysql/index.ts";
import { TrackerError } from "../lib/model/errors.ts";
import type { Storage } from "../lib/storage/port.ts";
import { reasonOf, CommandError, type DatabaseSettings } from "./settings.ts";

/** Opens the storage: memory without DATABASE_URL, else the database, after migrating its tables. */
export async function openStorage(settings: DatabaseSettings): Promise<Storage> {
  if (settings.databaseUrl === null) return memoryStorage();
  const storage = openDatabase(settings);
  try {
    await explained(() => storage.migrate());
  } catch (error) {
    await storage.close();
    throw error;
  }
  return storage;
}

/** Opens the database without migrating it. Throws a `CommandError` if DATABASE_URL is not set. */
export function openDatabase({ databaseUrl, tablePrefix }: DatabaseSettings): MysqlStorage {
  if (databaseUrl === null) throw new CommandError("Set DATABASE_URL: what memory keeps ends with the process.");
  return mysqlStorage(databaseUrl, { tablePrefix });
}

/** The codes of errors whose message says what the database must be like. */
const unusable: readonly unknown[] = ["unusable_database", "ER_BINLOG_STMT_MODE_AND_ROW_ENGINE"];

/** Runs the work. Turns errors that make the database unusable into a `CommandError` of one line, without values. */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code } = ((error instanceof TrackerError ? error.cause : error) ?? {}) as { code?: string };
    if (error instanceof Error && unusable.includes(code))
      throw new CommandError(error.message.replace(/^whodid /, ""));
    if (!(error instanceof TrackerError)) throw error;
    // Codes of our own, such as `no_connection`, are not shown: they tell an operator nothing.
    const reason = code && /^[A-Z]/.test(code) ? code : "no answer";
    if (code === "ER_NO_SUCH_TABLE") throw new CommandError("A table is missing: run `whodid migrate`.");
    if (error.code === "storage_unavailable")
      throw new CommandError(`DATABASE_URL: the database cannot be reached: ${reason}.`);
    if (error.code === "internal")
      throw new CommandError(`DATABASE_URL: ${code === undefined ? "" : `${code}: `}${error.message}`);
    throw new CommandError(reasonOf(error));
  }
}
