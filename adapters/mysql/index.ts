import { audienceTimeoutSecondsDefault } from "../../lib/limits.ts";
import type { ChecklistRow } from "../../lib/storage/rows.ts";
import type { ContactAndEventMethods, Storage } from "../../lib/storage/port.ts";
import type { Transaction } from "../../lib/types.ts";
import { createApiKeys } from "./api-keys/index.ts";
import { createBatches } from "./group-commit/index.ts";
import { createAudiences } from "./audiences/index.ts";
import { createCallersRunner, createRunner, type Runner, type Work } from "./transactions/index.ts";
import { batchedContacts, updateContact, upsertContacts, deleteContact, readContact } from "./contacts/index.ts";
import { createCompletions, findChecklists, batchedEvents, listEvents, recordEvents } from "./events/index.ts";
import { createDefinitions, listDefinitions } from "./definitions.ts";
import { migrate, printMigrations } from "./migrate.ts";
import { createSessionPool, type MysqlPool } from "./connection/index.ts";
import { toContact, toSummary, tablesOf, contactStatements, eventStatements } from "./sql/index.ts";
import type { MysqlStats } from "./stats.ts";

export type { MysqlConnection } from "./connection/index.ts";
export type { MysqlPool } from "./connection/index.ts";
export type { BatchStats, MysqlStats, PoolStats } from "./stats.ts";

/** What `mysqlStorage` takes beside the pool. */
export interface MysqlStorageOptions {
  /** What the names of the tables begin with: at most 40 letters, digits and underscores. */
  tablePrefix?: string;
  /**
   * How long API keys and definitions are remembered; 0 for not at all. Other processes learn so much later of a revoked key or
   * a changed definition; what this storage wrote itself it sees at once.
   */
  cacheSeconds?: number;
  /** How long a page or a count of an audience may take, 1 to 3,600; then the database ends its query. */
  audienceTimeoutSeconds?: number;
}

/** `within` takes a connection of mysql2 or mysql2/promise on which a transaction has been begun. */
export interface MysqlStorage extends Storage {
  /** Makes the tables, or brings them up to date. Needs rights on rows alone when they are current or a newer version's. */
  migrate(): Promise<void>;
  /** For whoever watches it; asks the database nothing. */
  stats(): MysqlStats;
}

/**
 * A storage in MariaDB (from 10.6) or MySQL (from 8.0). Takes a pool of `mysql2` or `mysql2/promise` with any options, which
 * stays the caller's to end, or a URL `mysql://user:password@host:port/database?…`, whose pool `close` ends. Does nothing
 * until it is used. Throws a `RangeError` for an option out of range.
 */
export function mysqlStorage(poolOrUrl: MysqlPool | string, options: MysqlStorageOptions = {}): MysqlStorage {
  const { tablePrefix = "whodid_", cacheSeconds = 5, audienceTimeoutSeconds = audienceTimeoutSecondsDefault } = options;
  assertPrefix(tablePrefix);
  if (!(cacheSeconds >= 0 && cacheSeconds <= 3_600)) throw new RangeError("cacheSeconds is a number from 0 to 3,600");
  if (!(audienceTimeoutSeconds >= 1 && audienceTimeoutSeconds <= 3_600)) {
    throw new RangeError("audienceTimeoutSeconds is a number from 1 to 3,600");
  }
  const tables = tablesOf(tablePrefix);
  const sessions = createSessionPool(poolOrUrl);
  const runner = createRunner(sessions, tables);
  const contacts = createBatches(runner, batchedContacts);
  const definitions = createDefinitions(runner, cacheSeconds, sessions.assertOpen);
  const events = createBatches(
    runner,
    batchedEvents((workspace) => definitions.listDefinitions(workspace, "checklist")),
  );
  const close = async (): Promise<void> => {
    await Promise.all([contacts.close(), events.close()]);
    await sessions.close();
  };
  const others = {
    ...definitions,
    ...createApiKeys(runner, cacheSeconds, sessions.assertOpen),
    ...createAudiences(runner, Math.round(audienceTimeoutSeconds * 1_000)),
    ...createCompletions(runner),
    close,
  };
  const within = (transaction: Transaction): Storage => {
    const inside = createCallersRunner(transaction, tables, sessions.assertOpen);
    return {
      ...others,
      ...createMethods(inside),
      upsertContacts: (items) => inside.write(items, upsertContacts),
      recordEvents: (items) =>
        inside.write(items, async (work, copies) => {
          const find = (workspace: string): Promise<ChecklistRow[]> => listDefinitions(work, workspace, "checklist");
          return recordEvents(work, copies, await findChecklists(copies, find));
        }),
      // On the caller's connection: waiting for another while it is held could empty the pool.
      listDefinitions: (workspace, kind) => inside.read((work) => listDefinitions(work, workspace, kind)),
      within,
    };
  };
  return {
    ...others,
    ...createMethods(runner),
    upsertContacts: contacts.write,
    recordEvents: events.write,
    within,
    stats: () => ({
      contacts: contacts.stats(),
      events: events.stats(),
      retries: runner.retries(),
      pool: sessions.stats(),
    }),
    migrate: () => migrate(sessions, tablePrefix),
  };
}

/** The SQL that `migrate` runs on an empty database, without a database. */
export function mysqlMigrations(options: Pick<MysqlStorageOptions, "tablePrefix"> = {}): string {
  const { tablePrefix = "whodid_" } = options;
  assertPrefix(tablePrefix);
  return printMigrations(tablePrefix);
}

function assertPrefix(tablePrefix: string): void {
  if (!/^[A-Za-z0-9_]{0,40}$/.test(tablePrefix)) throw new RangeError("tablePrefix is letters, digits and underscores");
}

function createMethods(runner: Runner): Omit<ContactAndEventMethods, "upsertContacts" | "recordEvents"> {
  return {
    findContact: (workspace, externalId) => runner.read((work) => readContact(work, workspace, externalId)),
    async updateContact(update) {
      const [contact] = await runner.write([update], async (work: Work<string>, [copy]) => [
        await updateContact(work, copy!),
      ]);
      return contact!;
    },
    deleteContact: (workspace, identifier) => deleteContact(runner, workspace, identifier),
    listContacts(workspace, slice) {
      const copy = structuredClone(slice);
      return runner.read(async (work) =>
        (await work.rows(contactStatements.listContacts(workspace, copy))).map(toContact),
      );
    },
    listEvents(workspace, externalId, eventKey, slice) {
      const copy = structuredClone(slice);
      return runner.read((work) => listEvents(work, workspace, externalId, eventKey, copy));
    },
    findSummaries: (workspace, contactId) =>
      runner.read(async (work) =>
        (await work.rows(eventStatements.findSummaries(workspace, contactId))).map(toSummary),
      ),
  };
}
