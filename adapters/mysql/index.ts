import type { Connection as PromiseConnection } from "mysql2/promise";
import { audienceTimeoutSecondsDefault, cacheSecondsDefault } from "./limits.ts";
import { refuseOthers } from "../../lib/model/arguments.ts";
import type { ContactDraft, ContactUpdate, DefinitionRow, EventDraft, WriteOptions } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { createApiKeys } from "./api-keys/index.ts";
import { createBatches, createLockWaits, writeInside } from "./group-commit/index.ts";
import { createAudiences } from "./audiences/index.ts";
import { createCallersRunner, createManagedTransactions, createOwnRunner, readOne } from "./transactions/index.ts";
import type { Runner, Work } from "./transactions/index.ts";
import { batchedContacts, deleteContact, listContacts, readContact } from "./contacts/index.ts";
import {
  complete,
  completeInside,
  createActivity,
  createChecklists,
  createPruning,
  createEventLists,
  findPrunedBefore,
  findDefined,
  findDefinedInside,
  batchedEvents,
  listEvents,
} from "./events/index.ts";
import { createDefinitions, listDefinitions, type Defined } from "./definitions/index.ts";
import { assertPrefix, migrate, type MigrateOptions } from "./migrate.ts";
import { createOverviews } from "./overviews.ts";
import { createSessionPool, toExecutor, type CheckedExecutor, type MysqlPool } from "./connection/index.ts";
import {
  createChanges,
  createCommitListeners,
  createKnownSubscriptions,
  type FindSubscriptions,
} from "./changes/index.ts";
import { acknowledge, createConsumers } from "./consumers/index.ts";
import { createWatches } from "./sweeps/index.ts";
import { createWebhooks } from "./webhooks/index.ts";
import { createWorkspaces } from "./workspaces/index.ts";
import { toSummary, tablesOf, eventStatements } from "./sql/index.ts";
import type { BacklogStats, MysqlStats, OutboxStats } from "./stats.ts";

export type { Executor, MysqlConnection, MysqlPool } from "./connection/index.ts";
export { fromDrizzle, fromKnex, fromKysely, fromTypeorm } from "./orms/index.ts";
export { mysqlMigrations, type MigrateOptions } from "./migrate.ts";
export type { BacklogStats, BatchStats, MysqlStats, OutboxStats, PoolStats } from "./stats.ts";

/** The options of `mysqlStorage`. */
export interface MysqlStorageOptions {
  /** The prefix of the table names: 1 to 40 letters, digits and underscores; `whodid_` by default. */
  tablePrefix?: string;
  /**
   * How long API keys and definitions are cached, in seconds; 5 by default, 0 for no cache. Other processes see a revoked key
   * or a changed definition after this time at the latest. This storage sees its own writes at once.
   */
  cacheSeconds?: number;
  /**
   * The time limit in seconds of a page or a count of an audience, of `contacts.count`, of `activity`, and of a page of
   * `events.recent` or `eventTypes.usage`. From 1 to 3,600; 30 by default. The database enforces it.
   */
  audienceTimeoutSeconds?: number;
}

/**
 * `transaction` passes a connection of mysql2/promise to its function, whichever pool was given. `within` takes a connection of
 * mysql2 or mysql2/promise on which the caller has begun a transaction, or an `Executor`.
 */
export interface MysqlStorage extends Storage<PromiseConnection> {
  /**
   * Creates or updates the tables. Needs no right to create tables if they are current, or those of a newer version. Resolves with
   * the numbers of the migrations that it ran.
   */
  migrate(options?: MigrateOptions): Promise<number[]>;
  /** Counts for monitoring. Sends nothing to the database. */
  stats(): MysqlStats;
  /** Counts the changes that wait for a pass. */
  readOutbox(): Promise<OutboxStats>;
  /** Counts the changes that wait for consumers, for the 100 oldest subscriptions of all workspaces that ever had a consumer. */
  readBacklogs(): Promise<BacklogStats[]>;
}

/**
 * Creates a storage in MariaDB (from 10.6) or MySQL (from 8.0). Connects only when it is used.
 * - Takes a URL `mysql://user:password@host:port/database?…`. Several hosts, separated by commas, are tried in order. `close` ends
 *   the pool of the URL. Also takes a pool of `mysql2` or `mysql2/promise` with any options, which the caller must end.
 * - Throws a `RangeError` if an option is out of range.
 */
export function mysqlStorage(poolOrUrl: MysqlPool | string, options: MysqlStorageOptions = {}): MysqlStorage {
  const {
    tablePrefix = "whodid_",
    cacheSeconds = cacheSecondsDefault,
    audienceTimeoutSeconds = audienceTimeoutSecondsDefault,
    ...rest
  } = options;
  refuseOthers("mysqlStorage", rest);
  assertPrefix(tablePrefix);
  assertBetween("cacheSeconds", cacheSeconds, 0);
  assertBetween("audienceTimeoutSeconds", audienceTimeoutSeconds, 1);
  const tables = tablesOf(tablePrefix);
  const sessions = createSessionPool(poolOrUrl);
  const listeners = createCommitListeners();
  const runner = createOwnRunner(sessions, tables, listeners.notify);
  const lockWaits = createLockWaits(sessions.ownConnections);
  const { logged, readOutbox, removeDeleted, ...log } = createChanges(runner);
  const { readBacklogs, ...consumers } = createConsumers(runner, log.logChanges, listeners);
  const known = createKnownSubscriptions(runner);
  const find: FindSubscriptions = (items, inside) => (inside ? known.findInside(items) : known.find(items));
  const upserts = batchedContacts(find);
  const contacts = createBatches(runner, upserts, lockWaits);
  const definitions = createDefinitions(runner, cacheSeconds, sessions.assertOpen, known.forget);
  const findBefore = (drafts: readonly EventDraft[], inside?: Work): Promise<Defined> =>
    inside
      ? findDefinedInside(inside, drafts)
      : findDefined(drafts, definitions.listDefinitions, (workspace) =>
          runner.read((work) => findPrunedBefore(work, workspace)),
        );
  const recordings = batchedEvents(findBefore, find);
  const events = createBatches(runner, recordings, lockWaits);
  const isDefined = async ({ workspace, kind, key }: DefinitionRow): Promise<boolean> =>
    (await definitions.listDefinitions(workspace, kind, { maxAgeMs: 0 })).some((row) => row.key === key);
  const others = {
    ...definitions,
    ...createApiKeys(runner, cacheSeconds, sessions.assertOpen),
    ...createAudiences(runner, Math.round(audienceTimeoutSeconds * 1_000)),
    ...createOverviews(runner, Math.round(audienceTimeoutSeconds * 1_000)),
    ...createActivity(runner, Math.round(audienceTimeoutSeconds * 1_000)),
    ...createEventLists(runner),
    ...createPruning(runner),
    ...log,
    ...consumers,
    ...createWatches(runner, known.find),
    ...createWebhooks(runner),
    ...createWorkspaces(runner, cacheSeconds, log.logChanges, known.forget),
    async putDefinition(draft: DefinitionRow) {
      const copy = structuredClone(draft);
      const isNew = copy.kind === "subscription" && !(await isDefined(copy));
      // First logs the waiting changes. If they were logged after the creation of the subscription, they would belong to it.
      while (isNew && (await log.logChanges()).more);
      return definitions.putDefinition(copy);
    },
    async close() {
      await Promise.all([contacts.close(), events.close()]);
      await sessions.close();
    },
  };
  const runManaged = createManagedTransactions(sessions, runner.retried, listeners.notify);
  /** Makes the storage whose calls `on` runs, in transactions of our own or in a caller's. */
  const storageOn = (on: Runner, { writeContacts, ...writes }: Writes): Storage<PromiseConnection> => ({
    ...others,
    ...createReads(on),
    ...createChecklists(on),
    acknowledge: (workspace, items) => acknowledge(on, workspace, items),
    upsertContacts: writeContacts,
    async updateContact(update) {
      const [answer] = await writeContacts([update]);
      // One item has one answer.
      if ("fault" in answer!) throw answer.fault;
      return "refused" in answer! ? answer : answer!.contact;
    },
    ...writes,
    within: (transaction) => storageInside(toExecutor(transaction)),
    transaction: (run) => runManaged((executor, connection) => run(storageInside(executor), connection)),
  });
  const storageInside = (executor: CheckedExecutor): Storage => {
    const inside = createCallersRunner(executor, tables, sessions.assertOpen);
    return storageOn(inside, {
      writeContacts: (items) => writeInside(inside, upserts, items),
      recordEvents: (items) => writeInside(inside, recordings, items),
      deleteContact: (workspace, identifier, at) => deleteContact(inside, workspace, identifier, at, known),
      insertCompletion: (draft) => completeInside(inside, draft, known.findInside),
      // Uses the caller's connection, because callers that wait for a second connection could exhaust the pool. Only a read with a
      // lock finds definitions that are newer than the caller's snapshot.
      listDefinitions: (workspace, kind, age) =>
        inside.read((work) => listDefinitions(work, workspace, kind, age?.maxAgeMs === 0 ? "LOCK IN SHARE MODE" : "")),
    });
  };
  const writes: Writes = {
    writeContacts: contacts.write,
    recordEvents: events.write,
    async deleteContact(workspace, identifier, at) {
      // Fills the caches for the last step, which has a connection and must not wait for another.
      await Promise.all([known.findInside([{ workspace }]), known.wasEverUsed()]);
      const answer = await deleteContact(runner, workspace, identifier, at, known);
      // The contact is deleted already. If the removal of its changes fails, a worker removes them.
      if (!("refused" in answer) && (await known.wasEverUsed())) await removeDeleted().catch(() => {});
      return answer;
    },
    insertCompletion: (draft) => complete(runner, draft, definitions.listDefinitions, known.find),
    listDefinitions: definitions.listDefinitions,
  };
  return {
    ...storageOn(runner, writes),
    stats: () => ({
      contacts: contacts.stats(),
      events: events.stats(),
      retries: runner.retries(),
      pool: sessions.stats(),
      loggedChanges: logged(),
    }),
    readOutbox,
    readBacklogs,
    migrate: (choices = {}) => migrate(sessions, tablePrefix, choices),
  };
}

/** The methods that differ between transactions of our own and a caller's. */
interface Writes extends Pick<Storage, "recordEvents" | "deleteContact" | "insertCompletion" | "listDefinitions"> {
  writeContacts(
    items: readonly (ContactDraft | ContactUpdate)[],
    options?: WriteOptions,
  ): ReturnType<Storage["upsertContacts"]>;
}

function assertBetween(name: string, seconds: number, least: number): void {
  if (!(seconds >= least && seconds <= 3_600)) throw new RangeError(`${name} is a number from ${least} to 3,600`);
}

function createReads(runner: Runner): Pick<Storage, "findContact" | "listContacts" | "listEvents" | "findSummaries"> {
  return {
    findContact: (workspace, reference) => readOne(runner, { workspace, reference }, readContact),
    listContacts: (workspace, slice) => readOne(runner, slice, (work, copy) => listContacts(work, workspace, copy)),
    listEvents: (workspace, externalId, eventKey, slice) =>
      readOne(runner, slice, (work, copy) => listEvents(work, workspace, externalId, eventKey, copy)),
    findSummaries: (workspace, contactId) =>
      runner.read(async (work) =>
        (await work.rows(eventStatements.findSummaries(workspace, contactId))).map(toSummary),
      ),
  };
}
