import assert from "node:assert/strict";
import { createPool, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { recordAll } from "../../adapters/storage-contract/calls.ts";
import { contactDraft, definitionDraft, eventDraft, keyed, newIds } from "../../adapters/storage-contract/drafts.ts";
import { hostileTexts } from "../../adapters/storage-contract/values/hostile-texts.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { ContactDraft, EventDraft } from "../../lib/storage/rows.ts";
import type { Database } from "../support/database.ts";
import { openMysql, type OpenedMysql } from "../support/mysql.ts";

/** Texts that may end a literal, a statement or a comment. */
const endings = [
  "'",
  "''",
  '"',
  "`",
  "\\",
  "\\'",
  '\\"',
  "';",
  "'; DROP TABLE whodid_salts; -- ",
  "'); DROP TABLE whodid_salts; #",
  '"; DELETE FROM whodid_salts; -- ',
  "\\'; DROP TABLE whodid_salts; -- ",
  "' OR 1=1 -- ",
  "x', 0), ('y",
  "X'00'",
  "_utf8mb4 X'27'",
  "0x27",
  "27'",
  ";",
  "--",
  "-- ",
  "/*",
  "*/",
  "/*! DROP TABLE whodid_salts */",
  "#",
  "?",
  "@whodid_contact0",
  "@@sql_mode",
  "NULL",
  "\0",
  "\0'; DROP TABLE whodid_salts",
  "\u001a",
  "\u00bf'",
  "\u00bf\\",
  "\u00e9\u0080\u00ff",
  "\u0430\u0301'",
  "\u{1F600}'",
  "\r\n;\n",
  "DELIMITER //",
  "LIMIT ?",
];
/** Then each ending has stood before each text: it is the least common multiple of their numbers. */
const count = 760;
const texts = Array.from(
  { length: count },
  (_, n) =>
    `${endings[n % endings.length]!}${n}${hostileTexts[n % hostileTexts.length]!}${endings[(n * 7 + 3) % endings.length]!}`,
);
const attributeIds = newIds(40);
const places = texts.map((_, n) => n % attributeIds.length);
const workspaceOf = (n: number): string => `w${places[n]!}${endings[places[n]!]!}`;

/** Each text comes back from each column as it was sent by a URL. No other table or row changes. */
export async function sendHostileTexts(server: Database, sqlMode: string): Promise<void> {
  const admin = createPool(server.url);
  const [[mode]] = await admin.query<RowDataPacket[]>("SELECT @@GLOBAL.sql_mode AS text");
  await admin.query("SET GLOBAL sql_mode = ?", [sqlMode]);
  const opened = await openMysql(server);
  const storage = mysqlStorage(opened.url);
  try {
    for (const [n, id] of attributeIds.entries())
      await storage.putDefinition(definitionDraft({ workspace: workspaceOf(n), id, type: "text" }));
    const before = await countsOf(opened);
    await send(storage);
    const changed = { ...before, contacts: count, events: count, summaries: count };
    assert.deepEqual(await countsOf(opened), changed);
    await assertReceived(opened);
  } finally {
    await storage.close();
    await opened.dispose();
    await admin.query("SET GLOBAL sql_mode = ?", [mode!["text"]]);
    await admin.end();
  }
}

/** One to three writes a call, so that each call is one packet, or two. */
async function send(storage: Storage): Promise<void> {
  for (let n = 0; n < count; n += 1 + (n % 3)) {
    const some = texts.slice(n, n + 1 + (n % 3)).map((text, index) => ({ text, n: n + index }));
    for (const answer of await storage.upsertContacts(some.map(({ text, n: at }) => contactOf(text, at))))
      assert.ok("created" in answer && answer.created);
    const drafts = some.map(({ text, n: at }) => eventOf(text, at));
    assert.deepEqual(
      (await recordAll(storage, drafts)).map((event) => event?.id),
      drafts.map(({ id }) => id),
    );
    const again = drafts.map((draft) => ({ ...draft, id: newIds(1)[0]! }));
    assert.equal((await recordAll(storage, again))[0]?.id, drafts[0]!.id);
  }
}

function contactOf(text: string, n: number): ContactDraft {
  const fields = { externalId: `${text}x`, name: text, phone: text, avatarUrl: text, role: text, plan: text };
  const attributes = { [attributeIds[places[n]!]!]: text };
  return contactDraft({ workspace: workspaceOf(n), email: text, fields, attributes, at: n });
}

function eventOf(text: string, n: number): EventDraft {
  return eventDraft({
    workspace: workspaceOf(n),
    contact: n % 2 === 0 ? { email: text } : { externalId: `${text}x` },
    eventKey: text,
    properties: JSON.stringify({ [text]: text }),
    createdAt: n,
    ...keyed(text),
  });
}

async function countsOf({ pool }: OpenedMysql): Promise<Record<string, number>> {
  const [tables] = await pool.query<RowDataPacket[]>("SHOW TABLES");
  const names = tables.flatMap((table) => Object.values(table) as string[]);
  const counts = names.map(async (name): Promise<[string, number]> => {
    const [[row]] = await pool.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${name}`);
    return [name.replace("whodid_", ""), Number(row!["n"])];
  });
  return Object.fromEntries(await Promise.all(counts));
}

async function assertReceived({ pool }: OpenedMysql): Promise<void> {
  const read = async (sql: string): Promise<string[][]> => {
    const [rows] = await pool.execute<RowDataPacket[][]>({ sql, rowsAsArray: true });
    return rows.map((row) => row.map((value: unknown) => (Buffer.isBuffer(value) ? value.toString() : String(value))));
  };
  const contacts = await read(
    "SELECT workspace, email, external_id, name, phone, avatar_url, role, plan, attributes FROM whodid_contacts ORDER BY created_at",
  );
  const events = await read(
    "SELECT e.workspace, c.email, e.event_key, e.properties, HEX(e.idempotency_hash) FROM whodid_events e JOIN whodid_contacts c ON c.id = e.contact_id ORDER BY e.created_at",
  );
  const summaries = await read("SELECT workspace, event_key, event_count FROM whodid_summaries ORDER BY first_at");
  for (const [n, text] of texts.entries()) {
    const attributes = JSON.stringify({ [attributeIds[places[n]!]!]: text });
    const workspace = workspaceOf(n);
    assert.deepEqual(contacts[n], [workspace, text, `${text}x`, text, text, text, text, text, attributes]);
    const { idempotencyHash } = keyed(text);
    assert.deepEqual(events[n], [
      workspace,
      text,
      text,
      JSON.stringify({ [text]: text }),
      idempotencyHash.toUpperCase(),
    ]);
    assert.deepEqual(summaries[n], [workspace, text, "1"]);
  }
}
