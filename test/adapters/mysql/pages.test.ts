import assert from "node:assert/strict";
import type { Pool, RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { rareKeyContactsMax, sortedHitsMax } from "../../../adapters/mysql/limits.ts";
import { recordEvent } from "../../../adapters/storage-contract/calls.ts";
import {
  at,
  attributesOf,
  contactDraft,
  definitionDraft,
  eventDraft,
  newIds,
  wholeList,
  workspace,
  rowsUpTo,
} from "../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactSlice } from "../../../lib/storage/rows.ts";
import { database, databaseSuite, mysqlBy } from "../../support/mysql.ts";
import { testsOn } from "../../support/suite.ts";

const total = 8_192;

interface Counted {
  storage: Storage;
  /** Reads on the only connection of the pool, because what was read is counted by connection. */
  counting: Storage;
  pool: Pool;
}

databaseSuite("pages on MySQL", await database(), (define, server) => {
  const onMysql = mysqlBy(server);
  const test = testsOn(define, (run: (opened: Counted) => Promise<void>) =>
    onMysql(({ storage, createPool }) => {
      const pool = createPool({ connectionLimit: 1 });
      return run({ storage, counting: mysqlStorage(pool), pool });
    }),
  );

  test("a page of contacts looks at no more than its own, wherever it begins", async ({ storage, counting, pool }) => {
    const ids = newIds(total);
    await storage.upsertContacts(
      ids.map((id, n) => contactDraft({ id, email: `${n}@example.com`, at: 1_700_000_000_000 + n })),
    );
    await pool.query("ANALYZE TABLE whodid_contacts");
    for (const start of [0, 0.1, 0.5, 0.9].map((share) => Math.floor(share * total))) {
      const after = start === 0 ? null : { createdAt: 1_700_000_000_000 + start - 1, id: ids[start - 1]! };
      await pool.query("FLUSH STATUS");
      const page = (await counting.listContacts(workspace, { ...wholeList, limit: 100, after })).rows;
      assert.deepEqual([page[0]!.id, page.length], [ids[start], 100]);
      const looked = await lookedAt(pool);
      assert.ok(looked < 1_000, `${looked} rows are looked at for the page at ${start}`);
    }
  });

  test("a page of a hundred rows is read at once, a larger one in two parts, and no more rows than fit", async (opened) => {
    const { storage, counting, pool } = opened;
    const ids = newIds(600);
    // About 1,300 bytes each.
    await storage.upsertContacts(
      ids.map((id, n) =>
        contactDraft({ id, email: `${n}@example.com`, at: at + n, fields: { name: "x".repeat(1_000) } }),
      ),
    );
    await counting.listContacts(workspace, wholeList);
    for (const [limit, maxBytes, length, executed, looked] of [
      [100, Infinity, 100, 1, 101],
      [600, 2_000_000, 600, 2, 601],
      [1_000, 400_000, 330, 2, 350],
      [1_000, 1, 1, 1, 101],
    ] as const) {
      await pool.query("FLUSH STATUS");
      const { rows } = await counting.listContacts(workspace, { ...wholeList, limit, maxBytes });
      assert.deepEqual(
        rows.map(({ id }) => id),
        ids.slice(0, rows.length),
      );
      assert.ok(Math.abs(rows.length - length) <= 20, `${rows.length} rows`);
      // The other query reads rows itself.
      const found = await lookedAt(pool);
      // On MariaDB each row counts twice.
      assert.ok(found <= 2 * looked + 10, `${found} rows are looked at for ${limit} of ${maxBytes} bytes`);
      assert.equal(await executedBy(pool), executed, `${limit} of ${maxBytes} bytes`);
    }
  });

  test("a page ends where rows begin that are much larger, and a transaction goes on", async (opened) => {
    const { storage, counting, pool } = opened;
    const ids = newIds(161);
    const attributes = attributesOf(newIds(5), "x".repeat(4_000));
    await Promise.all(
      Object.keys(attributes).map((id, n) =>
        storage.putDefinition(definitionDraft({ id, key: `a${n}`, type: "text" })),
      ),
    );
    await storage.upsertContacts(
      ids.map((id, n) => contactDraft({ id, email: `${n}@example.com`, at: at + n, ...(n > 100 && { attributes }) })),
    );
    const slice = { ...wholeList, maxBytes: 100_000 };
    const idOf = async (): Promise<unknown> => (await pool.query<RowDataPacket[]>("SELECT CONNECTION_ID() AS id"))[0];
    const before = await idOf();
    const page = await counting.listContacts(workspace, slice);
    assert.deepEqual([page.rows.length, page.more], [101, true]);
    assert.notDeepEqual(await idOf(), before);
    const rest = await counting.listContacts(workspace, { ...wholeList, after: page.rows.at(-1)! });
    assert.deepEqual(
      [...page.rows, ...rest.rows].map(({ id }) => id),
      ids,
    );
    await storage.transaction(async (inside) => {
      const { rows, more } = await inside.listContacts(workspace, slice);
      assert.ok(rows.length > 101 && more);
      await recordEvent(inside, { contact: { email: "0@example.com" } });
    });
    assert.equal((await storage.listEvents(workspace, "0@example.com", null, slice))?.rows.length, 1);
  });

  test("a query with few hits looks at these alone, and one with more than are sorted finds the same pages", async (opened) => {
    const { storage, counting, pool } = opened;
    const ids = newIds(sortedHitsMax + 1);
    const drafts = ids.map((id, n) => contactDraft({ id, email: `u${n}@example.com`, at: at + n }));
    await inParts(drafts, (part) => storage.upsertContacts(part));
    const page = async (query: string, parts: Partial<ContactSlice>): Promise<string[]> =>
      (await counting.listContacts(workspace, { ...wholeList, limit: 3, query, ...parts })).rows.map(({ id }) => id);
    for (const begin of [0, 7_000, ids.length - 2]) {
      const after = begin === 0 ? null : { createdAt: at + begin - 1, id: ids[begin - 1]! };
      assert.deepEqual(await page("u", { after }), ids.slice(begin, begin + 3));
    }
    const after = { createdAt: at + 7_000, id: ids[7_000]! };
    assert.deepEqual(await page("u", { after, order: "newest" }), ids.slice(6_997, 7_000).toReversed());
    await pool.query("FLUSH STATUS");
    // Of these eleven the page has three.
    assert.deepEqual(await page("u1999", {}), [ids[1_999], ids[19_990], ids[19_991]]);
    const looked = await lookedAt(pool);
    assert.ok(looked < 200, `${looked} rows are looked at for eleven hits`);
  });

  test("the recent events of a key that few did are read from these contacts, of another from all events", async (opened) => {
    const { storage, counting, pool } = opened;
    const emails = Array.from({ length: rareKeyContactsMax + 1 }, (_, n) => `${n}@example.com`);
    await inParts(
      emails.map((email) => contactDraft({ email })),
      (part) => storage.upsertContacts(part),
    );
    const ids = newIds(emails.length);
    await recordEvent(storage, { contact: { email: emails[0]! }, eventKey: "rare" });
    await inParts(
      emails.map((email, n) => eventDraft({ id: ids[n]!, contact: { email } })),
      (part) => storage.recordEvents(part),
    );
    const recent = (await counting.listRecentEvents(workspace, "step", { ...rowsUpTo(2), after: null })).rows;
    assert.deepEqual(
      recent.map(({ id }) => id),
      ids.slice(-2).toReversed(),
    );
    await pool.query("FLUSH STATUS");
    assert.equal((await counting.listRecentEvents(workspace, "rare", wholeList)).rows.length, 1);
    const looked = await lookedAt(pool);
    assert.ok(looked < 50, `${looked} rows are looked at for one event`);
  });

  test("a page of usage reads the summaries of its own keys alone, wherever it begins", async (opened) => {
    const { storage, counting, pool } = opened;
    const emails = Array.from({ length: 64 }, (_, n) => `${n}@example.com`);
    await storage.upsertContacts(emails.map((email) => contactDraft({ email })));
    const keys = Array.from({ length: 64 }, (_, n) => `step ${String(n).padStart(2, "0")}`);
    for (const eventKey of keys) {
      await storage.recordEvents(emails.map((email) => eventDraft({ contact: { email }, eventKey })));
    }
    await pool.query("ANALYZE TABLE whodid_summaries");
    for (const after of [null, "step 31", "step 60"]) {
      await pool.query("FLUSH STATUS");
      const page = (await counting.listEventUsage(workspace, after, rowsUpTo(2))).rows;
      assert.deepEqual(
        page.map(({ eventKey, contacts }) => [eventKey, contacts]),
        keys
          .filter((key) => after === null || key > after)
          .slice(0, 2)
          .map((key) => [key, 64]),
      );
      const looked = await lookedAt(pool);
      assert.ok(looked < 200, `${looked} rows are looked at for the page after ${after}`);
    }
  });

  test("a page of recorded events reads no more of other workspaces than it has room for", async (opened) => {
    const { storage, counting, pool } = opened;
    for (const one of ["other", workspace]) await storage.upsertContacts([contactDraft({ workspace: one })]);
    await storage.recordEvents(Array.from({ length: 500 }, () => eventDraft({ workspace: "other" })));
    await storage.recordEvents([eventDraft()]);
    await pool.query("ANALYZE TABLE whodid_events");
    await pool.query("FLUSH STATUS");
    const { events, next } = await counting.listRecorded(workspace, null, rowsUpTo(10));
    assert.deepEqual([events.length, next !== null], [0, true]);
    const looked = await lookedAt(pool);
    assert.ok(looked < 60, `${looked} rows are looked at`);
  });
});

/** The number of prepared statements that the connection has executed since FLUSH STATUS. */
async function executedBy(pool: Pool): Promise<number> {
  const [[row]] = await pool.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Com\\_stmt\\_execute'");
  return Number(row!["Value"]);
}

/** All at once would be more than a queue holds. */
async function inParts<Item>(
  items: readonly Item[],
  write: (part: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += 5_000) await write(items.slice(start, start + 5_000));
}

/** Rows read, and on MariaDB those that an index alone has ruled out. */
async function lookedAt(pool: Pool): Promise<number> {
  const [rows] = await pool.query<RowDataPacket[]>(
    "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read%' OR Variable_name = 'Handler_icp_attempts'",
  );
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}
