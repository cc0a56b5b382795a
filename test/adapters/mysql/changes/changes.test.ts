import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { logAll, readAll } from "../../../../adapters/storage-contract/log.ts";
import { accepted, createContact, recordEvent, refused, upsert } from "../../../../adapters/storage-contract/calls.ts";
import {
  at,
  checklistDraft,
  contactDraft,
  eventDraft,
  subscriptionDraft,
  workspace,
  rowsUpTo,
} from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../../../lib/index.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const server = await database();

const onMysql = mysqlBy(server);

/** Runs on a storage with a subscription that takes all changes, and Ada. */
function subscribed(run: (opened: OpenedMysql) => Promise<void>, options?: mysql.PoolOptions): Promise<void> {
  return onMysql(async (opened) => {
    await opened.storage.putDefinition(subscriptionDraft());
    await createContact(opened.storage);
    await run(opened);
  }, options);
}

async function kindsIn({ pool }: OpenedMysql, table: "outbox" | "changes"): Promise<string[]> {
  const kinds =
    table === "outbox" ? "body FROM whodid_outbox ORDER BY id" : "kind FROM whodid_changes ORDER BY position";
  const [rows] = await pool.query<RowDataPacket[]>(`SELECT ${kinds}`);
  return rows.map((row) => String(Object.values(row)[0]));
}

/** Begins a transaction whose snapshot is of now. */
async function beginWithSnapshot({ pool }: OpenedMysql): Promise<mysql.PoolConnection> {
  const connection = await pool.getConnection();
  await connection.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  await connection.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
  return connection;
}

/** A pool that runs `hook` before it sends the statement. */
function poolWithHook(url: string, statement: string, hook: () => Promise<void>): mysql.Pool {
  const pool = mysql.createPool(url);
  pool.pool.on("connection", (connection) => {
    const execute = connection.execute.bind(connection) as (options: { sql: string }, answer: unknown) => unknown;
    const hooked = (options: { sql: string }, answer: unknown): unknown =>
      options.sql.includes(`whodid:${statement} `)
        ? hook().then(() => execute(options, answer))
        : execute(options, answer);
    Object.assign(connection, { execute: hooked });
  });
  return pool;
}

databaseSuite({ name: "the log of changes on mysql", atOnce: 4 }, server, (define) => {
  const test = testsOn(define, subscribed);
  test("a deletion removes the contact's changes from the outbox and the log before it resolves", async (opened) => {
    const { storage } = opened;
    await logAll(storage);
    await recordEvent(storage);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    assert.deepEqual([await kindsIn(opened, "outbox"), await kindsIn(opened, "changes")], [[], ["contact_deleted"]]);
  });

  test("a deletion removes the changes that the log has of a subscription that was deleted", async (opened) => {
    const { storage } = opened;
    await logAll(storage);
    await storage.deleteDefinition(workspace, "subscription", subscriptionDraft().key);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    assert.deepEqual([await kindsIn(opened, "outbox"), await kindsIn(opened, "changes")], [[], []]);
  });

  test("a deletion removes the changes of a subscription that another process defined since", async (opened) => {
    const { storage, open } = opened;
    const other = open();
    await createContact(other, { workspace: "elsewhere" });
    await storage.putDefinition(subscriptionDraft({ workspace: "elsewhere" }));
    await upsert(storage, { workspace: "elsewhere", at: at + 1, fields: { name: "Ada" } });
    accepted(await other.deleteContact("elsewhere", "ada@example.com", at + 2));
    await logAll(storage);
    const [rows] = await opened.pool.query(
      "SELECT kind FROM whodid_changes WHERE workspace = 'elsewhere' AND kind <> 'contact_deleted'",
    );
    assert.deepEqual(rows, []);
  });

  test("a cursor from before a restored backup misses no change, although the database's clock is an hour behind", async (opened) => {
    const { storage, createPool, pool } = opened;
    const { position: end } = await readAll(storage);
    await recordEvent(storage);
    const { position } = await readAll(storage);
    await pool.query("DELETE FROM whodid_changes WHERE position > ?", [end]);
    await pool.query("UPDATE whodid_change_heads SET position = ?", [end]);
    const late = createPool();
    late.pool.on("connection", (connection) => connection.query("SET timestamp = UNIX_TIMESTAMP() - 3600"));
    const restored = mysqlStorage(late);
    for (let n = 0; n < 3; n++) await recordEvent(restored, { eventKey: `step${n}` });
    await logAll(restored);
    const { rows } = accepted(await restored.listChanges(workspace, subscriptionDraft().key, position, rowsUpTo(10)));
    assert.equal(rows.length, 3);
  });

  test("a contact that a retried upsert creates again with its id keeps the changes since its deletion", async (opened) => {
    const { storage, pool } = opened;
    await logAll(storage);
    const draft = contactDraft({ email: "bob@example.com" });
    await storage.upsertContacts([draft]);
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    accepted(await storage.within(connection).deleteContact(workspace, "bob@example.com", at));
    await connection.commit();
    connection.release();
    await storage.upsertContacts([draft]);
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    const { changes } = await readAll(storage);
    const kinds = changes.filter(({ contact }) => contact.id === draft.id).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["contact_deleted", "contact_created", "event_recorded"]);
  });

  test("writes in a transaction that has the only connection are not refused, and cause their changes", async (opened) => {
    const { createPool } = opened;
    const pool = createPool({ connectionLimit: 1, waitForConnections: false });
    const storage = mysqlStorage(pool);
    await storage.transaction(async (inside) => {
      for (let n = 0; n < 3; n++) await recordEvent(inside, { eventKey: `step${n}` });
    });
    const { changes } = await readAll(storage);
    assert.equal(changes.filter(({ kind }) => kind === "event_recorded").length, 3);
  });

  test("a change shows the value of an attribute that another process has just defined", async ({ open }) => {
    const one = createTracker({ storage: open() });
    const other = createTracker({ storage: open({ cacheSeconds: 60 }) });
    await other.workspace(workspace).attributes.list();
    const { attributes, contacts } = one.workspace(workspace);
    await attributes.define({ key: "seats", type: "number" });
    await contacts.update("ada@example.com", { customAttributes: { seats: 5 } });
    await one.work({ until: "caught-up" });
    const [change] = await other.workspace(workspace).subscriptions.recent(subscriptionDraft().key, { limit: 1 });
    assert.deepEqual(change?.kind === "contact_updated" && change.changed, {
      "customAttributes.seats": { before: null, after: 5 },
    });
  });

  test("a deletion in a caller's transaction hides the contact's changes at its commit, and a pass removes them", async (opened) => {
    const { storage } = opened;
    const connection = await beginWithSnapshot(opened);
    await logAll(storage);
    await recordEvent(storage);
    accepted(await storage.within(connection).deleteContact(workspace, "ada@example.com", at));
    await connection.commit();
    connection.release();
    const { rows } = accepted(await storage.listChanges(workspace, "all", null, rowsUpTo(10)));
    assert.deepEqual(rows, []);
    await logAll(storage);
    assert.deepEqual([await kindsIn(opened, "outbox"), await kindsIn(opened, "changes")], [[], ["contact_deleted"]]);
  });

  test("a deletion that no subscription takes removes the contact's changes too, and is not in the log", async (opened) => {
    const { storage } = opened;
    await recordEvent(storage);
    await storage.putDefinition(subscriptionDraft({ on: { events: true } }));
    await storage.transaction((inside) => inside.deleteContact(workspace, "ada@example.com", at));
    await logAll(storage);
    assert.deepEqual([await kindsIn(opened, "outbox"), await kindsIn(opened, "changes")], [[], []]);
  });

  test("a contact that is deleted during a pass leaves nothing in the log", async (opened) => {
    const { storage, url } = opened;
    let deletion: Promise<unknown> | undefined;
    const pool = poolWithHook(url, "logWaiting", async () => {
      deletion ??= storage.deleteContact(workspace, "ada@example.com", at);
      await Promise.race([deletion, sleep(2_000)]);
    });
    const passing = mysqlStorage(pool);
    assert.equal((await passing.logChanges()).logged, 1);
    await deletion;
    await passing.close();
    await pool.end();
    assert.deepEqual(await kindsIn(opened, "changes"), ["contact_deleted"]);
  });

  test("writes do not wait for a caller's transaction that has deleted another contact", async (opened) => {
    const { storage } = opened;
    await createContact(storage, { email: "bob@example.com" });
    await logAll(storage);
    const connection = await beginWithSnapshot(opened);
    accepted(await storage.within(connection).deleteContact(workspace, "ada@example.com", at));
    accepted(await upsert(storage, { email: "bob@example.com", fields: { name: "Bob" }, at: at + 1 }));
    assert.equal((await readAll(storage)).changes.length, 3);
    await connection.rollback();
    connection.release();
  });

  test("passes of several processes log each change once, in the order of the writes", async ({ storage, open }) => {
    const processes = Array.from({ length: 3 }, () => open());
    const passes: Promise<unknown>[] = [];
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) {
      ids.push((await recordEvent(storage, { eventKey: `k${n}` })).id);
      passes.push(...processes.map((other) => other.logChanges()));
    }
    await Promise.all(passes);
    const { changes } = await readAll(storage);
    assert.deepEqual(
      changes.slice(1).map(({ id }) => id),
      ids,
    );
  });

  test("transactions with old snapshots that complete the last two items log the checklist once", async (opened) => {
    const { storage } = opened;
    const items = ["a", "b"].map((key) => ({ key, name: key, when: { kind: "has_done", eventKey: key } as const }));
    accepted(await storage.putDefinition(checklistDraft({ items })));
    const connections = [await beginWithSnapshot(opened), await beginWithSnapshot(opened)];
    for (const [index, connection] of connections.entries()) {
      // MariaDB 11.8 otherwise refuses a row that was changed since the snapshot.
      await connection.query("SET @unused = 1 /*M!110602 , SESSION innodb_snapshot_isolation = 0 */");
      await recordEvent(storage.within(connection), { eventKey: items[index]!.key });
      await connection.commit();
      connection.release();
    }
    const { changes } = await readAll(storage);
    assert.equal(changes.filter(({ kind }) => kind === "checklist_completed").length, 1);
  });

  test("a subscription of another process is known after 2 s, also to a transaction with an older snapshot", async (opened) => {
    const { open, storage } = opened;
    await storage.deleteDefinition(workspace, "subscription", "all");
    const other = open({ cacheSeconds: 3_600 });
    await recordEvent(other);
    const connection = await beginWithSnapshot(opened);
    await storage.putDefinition(subscriptionDraft());
    await sleep(2_100);
    await recordEvent(other);
    await recordEvent(other.within(connection));
    await connection.commit();
    connection.release();
    assert.equal((await readAll(storage)).changes.length, 2);
  });

  test(
    "callers whose transactions hold all connections of a pool do not wait for each other",
    async (opened) => {
      const storage = mysqlStorage(opened.pool);
      const connections = [await opened.pool.getConnection(), await opened.pool.getConnection()];
      for (const connection of connections) await connection.beginTransaction();
      const emails = ["bob@example.com", "eve@example.com"];
      await Promise.all(
        connections.map(async (connection, index) => {
          await storage.within(connection).upsertContacts([contactDraft({ email: emails[index]! })]);
          await connection.commit();
          connection.release();
        }),
      );
      await storage.close();
      assert.equal((await readAll(opened.storage)).changes.length, 3);
    },
    { connectionLimit: 2 },
  );

  test("a position that was given out after a backup is refused when the backup is restored", async (opened) => {
    const { storage, pool } = opened;
    const [[head]] = await pool.query<RowDataPacket[]>("SELECT position FROM whodid_change_heads");
    const { position } = await readAll(storage);
    await pool.query("DELETE FROM whodid_changes");
    await pool.query("UPDATE whodid_change_heads SET position = ?", [head!["position"]]);
    refused(await storage.listChanges(workspace, "all", position, rowsUpTo(1)), "changes_expired");
  });

  test("positions ascend when the clock of the database goes back", async ({ storage, pool }) => {
    await pool.query("UPDATE whodid_change_heads SET position = position + 1000000000000");
    const { changes, position } = await readAll(storage);
    await recordEvent(storage);
    const { changes: later } = await readAll(storage, { after: position });
    assert.ok(later[0]!.position > changes[0]!.position && later[0]!.position === position + 1);
  });

  test("a pass moves at most 8 MiB, and the next the rest", async ({ storage }) => {
    await logAll(storage);
    for (let n = 0; n < 150; n++) {
      await storage.upsertContacts([contactDraft({ at: at + n, fields: { name: String(n % 10).repeat(60_000) } })]);
    }
    const first = await storage.logChanges();
    assert.ok(first.more && first.logged > 0 && first.logged < 150, JSON.stringify(first));
    assert.deepEqual(await storage.logChanges(), { logged: 150 - first.logged, more: false });
  });

  test("a subscription that is defined again leaves the changes that wait to the passes", async ({ storage }) => {
    await logAll(storage);
    await recordEvent(storage);
    await storage.putDefinition(subscriptionDraft({ on: { events: true } }));
    assert.deepEqual(await storage.logChanges(), { logged: 1, more: false });
  });

  test("the changes that wait are counted with the age of the oldest, and the logged ones", async ({ storage }) => {
    await storage.recordEvents([eventDraft({ eventKey: "a" }), eventDraft({ eventKey: "b" })]);
    await sleep(20);
    const { changes, oldestAgeMs } = await storage.readOutbox();
    assert.equal(changes, 3);
    assert.ok(oldestAgeMs >= 20 && oldestAgeMs < 600_000, String(oldestAgeMs));
    await logAll(storage);
    assert.deepEqual(await storage.readOutbox(), { changes: 0, oldestAgeMs: 0 });
    assert.equal(storage.stats().loggedChanges, 3);
  });
});
