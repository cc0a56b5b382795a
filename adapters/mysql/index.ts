import type { ContactAndEventMethods, Storage } from "../../lib/storage.ts";
import type { Transaction } from "../../lib/types.ts";
import { createApiKeys } from "./api-keys.ts";
import { createCallersRunner } from "./callers-transactions.ts";
import { updateContact, upsertContacts } from "./contacts.ts";
import { createDefinitions, listDefinitions } from "./definitions.ts";
import { deleteContact } from "./deletions.ts";
import { listEvents, recordEvents } from "./events.ts";
import { migrate, printMigrations } from "./migrate.ts";
import { createConnections, type MysqlPool } from "./pool.ts";
import { readContacts } from "./references.ts";
import { toContact, toSummary } from "./rows.ts";
import { tablesOf } from "./statements.ts";
import { listContacts } from "./statements/contacts.ts";
import { findSummaries } from "./statements/events.ts";
import { createRunner, type Runner } from "./transactions.ts";

export type { MysqlConnection } from "./connections.ts";
export type { MysqlPool } from "./pool.ts";

export interface MysqlStorageOptions {
  /** What the names of the tables begin with: at most 40 letters, digits and underscores. */
  tablePrefix?: string;
}

/** `within` takes a connection of mysql2 or mysql2/promise on which a transaction has been begun. */
export interface MysqlStorage extends Storage {
  /** Makes the tables, or brings them up to date. Needs no right to create tables when they are current. */
  migrate(): Promise<void>;
}

/**
 * A storage in MariaDB (from 10.6) or MySQL (from 8.0). Takes a pool of `mysql2` or `mysql2/promise` with any options, which
 * stays the caller's to end, or a URL `mysql://user:password@host:port/database?…`, whose pool `close` ends. Does nothing
 * until it is used. Throws a `RangeError` for a table prefix out of range.
 */
export function mysqlStorage(poolOrUrl: MysqlPool | string, options: MysqlStorageOptions = {}): MysqlStorage {
  const { tablePrefix = "whodid_" } = options;
  assertPrefix(tablePrefix);
  const tables = tablesOf(tablePrefix);
  const connections = createConnections(poolOrUrl);
  const runner = createRunner(connections, tables);
  const others = { ...createDefinitions(runner), ...createApiKeys(runner), close: () => connections.close() };
  const within = (transaction: Transaction): Storage => {
    const inside = createCallersRunner(transaction, tables, connections.assertOpen);
    return {
      ...others,
      ...createMethods(inside),
      // On the caller's connection: waiting for another while it is held could empty the pool.
      listDefinitions: (workspace, kind) => inside.read((work) => listDefinitions(work, workspace, kind)),
      within,
    };
  };
  return { ...others, ...createMethods(runner), within, migrate: () => migrate(connections, tablePrefix) };
}

/** The SQL that `migrate` runs on an empty database, without a database. */
export function mysqlMigrations(options: MysqlStorageOptions = {}): string {
  const { tablePrefix = "whodid_" } = options;
  assertPrefix(tablePrefix);
  return printMigrations(tablePrefix);
}

function assertPrefix(tablePrefix: string): void {
  if (!/^[A-Za-z0-9_]{0,40}$/.test(tablePrefix)) throw new RangeError("tablePrefix is letters, digits and underscores");
}

function createMethods(runner: Runner): ContactAndEventMethods {
  return {
    upsertContacts: (items) => runner.write(items, upsertContacts),
    async findContact(workspace, externalId) {
      const [contact] = await runner.read((work) => readContacts(work, [{ workspace, reference: { externalId } }]));
      return contact!;
    },
    async updateContact(update) {
      const tried = { id: null };
      const [contact] = await runner.write([update], async (work, [copy]) => [await updateContact(work, copy!, tried)]);
      return contact!;
    },
    deleteContact: (workspace, identifier) => deleteContact(runner, workspace, identifier),
    listContacts(workspace, slice) {
      const copy = structuredClone(slice);
      return runner.read(async (work) => (await work.rows(listContacts(workspace, copy))).map(toContact));
    },
    recordEvents: (items) => runner.write(items, recordEvents),
    listEvents(workspace, externalId, eventKey, slice) {
      const copy = structuredClone(slice);
      return runner.read((work) => listEvents(work, workspace, externalId, eventKey, copy));
    },
    findSummaries: (workspace, contactId) =>
      runner.read(async (work) => (await work.rows(findSummaries(workspace, contactId))).map(toSummary)),
  };
}
