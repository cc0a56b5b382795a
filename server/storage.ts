import { memoryStorage } from "../adapters/memory/index.ts";
import { mysqlStorage, type MysqlStorage } from "../adapters/mysql/index.ts";
import { TrackerError } from "../lib/errors.ts";
import type { Storage } from "../lib/storage/port.ts";
import { reasonOf, Refusal, type DatabaseSettings } from "./settings.ts";

/** Memory, or the database with its tables brought up to date. */
export async function openStorage(settings: DatabaseSettings): Promise<Storage & Partial<Pick<MysqlStorage, "stats">>> {
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

/** Throws a `Refusal` without DATABASE_URL. */
export function openDatabase({ databaseUrl, tablePrefix }: DatabaseSettings): MysqlStorage {
  if (databaseUrl === null) throw new Refusal("Set DATABASE_URL: what memory keeps ends with the process.");
  return mysqlStorage(databaseUrl, { tablePrefix });
}

/** The codes of errors whose message says what the database must be like. */
const unusable: readonly unknown[] = ["unusable_database", "ER_BINLOG_STMT_MODE_AND_ROW_ENGINE"];

/** Turns what keeps a database from being used into a `Refusal` of one line, without values. */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code } = ((error instanceof TrackerError ? error.cause : error) ?? {}) as { code?: string };
    if (error instanceof Error && unusable.includes(code)) throw new Refusal(error.message.replace(/^whodid /, ""));
    if (!(error instanceof TrackerError)) throw error;
    // A word of our own, as `no_connection`, says no more.
    const reason = code && /^[A-Z]/.test(code) ? code : "no answer";
    if (code === "ER_NO_SUCH_TABLE") throw new Refusal("A table is missing: run `whodid migrate`.");
    if (error.code === "storage_unavailable")
      throw new Refusal(`DATABASE_URL: the database cannot be reached: ${reason}.`);
    if (error.code === "internal") throw new Refusal(`DATABASE_URL: the database refuses: ${code ?? error.message}.`);
    throw new Refusal(reasonOf(error));
  }
}
