import assert from "node:assert/strict";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { recordEvent, upsert } from "../../../../adapters/storage-contract/calls.ts";
import { idAt, keyed } from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker, type Tracker } from "../../../../lib/index.ts";
import { keepsLogBack } from "../../../support/disk.ts";
import { databaseSuite, database } from "../../../support/mysql.ts";

/** It writes its log only when a COMMIT has to, as between a commit that others see and its log being there. */
const server = process.env["MYSQL_URL"] ? null : await database([keepsLogBack, "--innodb-flush-log-at-trx-commit=1"]);

const ada = { email: "ada@example.com", name: "Ada" };
const event = { externalId: ada.email, eventKey: "step" };

interface Case {
  call(tracker: Tracker): Promise<unknown>;
  /** What has nothing to write after the call: by default the same call. */
  again?(tracker: Tracker): Promise<unknown>;
  /** What is there after the call. */
  look(tracker: Tracker): Promise<unknown>;
  there: unknown;
}

const keptAnyway = "On /dev/shm MariaDB loses nothing when it is killed: set TMPDIR to another folder.";

const cases: Record<string, Case> = {
  "a contact that an upsert leaves as it is": {
    call: ({ contacts }) => contacts.upsert({ ...ada, name: "Countess" }),
    look: async ({ contacts }) => (await contacts.get(ada.email))?.name,
    there: "Countess",
  },
  "a contact that an update leaves as it is": {
    call: ({ contacts }) => contacts.update(ada.email, { plan: "pro" }),
    look: async ({ contacts }) => (await contacts.get(ada.email))?.plan,
    there: "pro",
  },
  "an event that is replayed": {
    call: ({ events }) => events.track(event, { idempotencyKey: "k" }),
    look: async ({ events }) => (await events.list(ada.email)).items.length,
    there: 1,
  },
  "an item that is completed already": {
    call: ({ checklists }) => checklists.complete(ada.email, "start", "hand"),
    look: async ({ checklists }) => (await checklists.progress(ada.email))[0]?.items[0]?.completed,
    there: true,
  },
  "a contact that another is refused for": {
    call: ({ contacts }) => contacts.upsert({ email: "q@example.com", externalId: "q" }),
    again: ({ contacts }) => contacts.upsert({ ...ada, externalId: "q" }).catch((error: unknown) => error),
    look: async ({ contacts }) => (await contacts.get("q"))?.email,
    there: "q@example.com",
  },
  "a contact that is gone": {
    call: ({ contacts }) => contacts.delete(ada.email).catch((error: unknown) => error),
    look: ({ contacts }) => contacts.get(ada.email),
    there: null,
  },
};

databaseSuite(
  { name: "an answer that had nothing to write", atOnce: 1 },
  server,
  (test, { url, createDatabase, kill9, restart }) => {
    test("is needed: what is not on the disk is lost with a killed database", async () => {
      const schema = await createDatabase();
      const tracker = await open(schema);
      const root = await createConnection(url);
      await root.query("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
      await tracker.contacts.upsert(ada);
      await kill9();
      root.destroy();
      await tracker.close();
      await restart();
      const after = await open(schema);
      assert.equal(await after.contacts.get(ada.email), null, keptAnyway);
      await after.close();
    });

    for (const [name, { call, again = call, look, there }] of Object.entries(cases)) {
      test(`tells of what a killed database still has: ${name}`, async () => {
        const schema = await createDatabase();
        const before = await open(schema);
        const root = await createConnection(url);
        await before.contacts.upsert(ada);
        await before.checklists.define({ key: "start", name: "Start", items: [{ key: "hand", name: "By hand" }] });
        await root.query("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
        await call(before);
        await root.query("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        await again(before);
        await kill9();
        root.destroy();
        await before.close();
        await restart();
        const after = await open(schema);
        assert.deepEqual(await look(after), there);
        await after.close();
      });
    }

    for (const [minutes, writes] of [
      [4, 1],
      [6, 0],
    ] as const) {
      test(`${writes === 1 ? "puts" : "does not put"} a log of its own on the disk for a row written ${minutes} minutes ago`, async () => {
        const storage = mysqlStorage(await createDatabase());
        const connection = await createConnection(url);
        const countInserts = async (call: () => Promise<unknown>): Promise<number> => {
          const count = async (): Promise<number> => {
            const [rows] = await connection.query<RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'Com_insert'");
            return Number(rows[0]!["Value"]);
          };
          const before = await count();
          await call();
          return (await count()) - before;
        };
        await storage.migrate();
        const upsertAt = (at: number): Promise<unknown> => upsert(storage, { at });
        const recordAt = (at: number): Promise<unknown> => recordEvent(storage, { id: idAt(at), ...keyed("k") });
        for (const call of [upsertAt, recordAt]) {
          await call(Date.now() - minutes * 60_000);
          assert.equal(await countInserts(() => call(Date.now())), writes);
        }
        await storage.close();
        await connection.end();
      });
    }
  },
);

async function open(url: string): Promise<Tracker> {
  const storage = mysqlStorage(url);
  await storage.migrate();
  return createTracker({ storage });
}
