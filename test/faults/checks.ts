import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { groupBy } from "./groups.ts";
import type { Ledger } from "./ledger.ts";
import { pastKey } from "./pruning.ts";

/** Asserts that clients saw only what the README documents for a valid request, and no two answers that contradict each other. */
export function assertAnswers({ statuses, complaints, contacts }: Ledger): void {
  assert.deepEqual([...new Set(complaints)], []);
  const documented = /^(?:.*events (?:201|503)|.*contacts (?:200|201|503))$/;
  assert.deepEqual(
    Object.keys(statuses).filter((name) => !documented.test(name)),
    [],
  );
  const byEmail = groupBy(contacts, ({ email }) => email);
  const wrong = [...byEmail].filter(([, posts]) => {
    const created = posts.filter((post) => post.created).length;
    // The answer that said so may have been lost.
    const isLost = created === 0 && posts.some(({ tries }) => tries > 1);
    return new Set(posts.map(({ id }) => id)).size > 1 || !(created === 1 || isLost);
  });
  assert.deepEqual(wrong.slice(0, 3), [], "each email has one id, and one post created it");
}

/** Asserts that the database holds what the clients know, once and whole, and nothing else. */
export async function assertTables(url: string, ledger: Ledger): Promise<void> {
  const connection = await createConnection({ uri: url, bigNumberStrings: true });
  const linesOf = async (sql: string): Promise<string[]> => {
    const [rows] = await connection.query<RowDataPacket[]>({ sql, rowsAsArray: true });
    return rows.map((row) => (row as unknown as unknown[]).map(String).join(" "));
  };
  try {
    const events = ledger.events.map(({ idempotencyKey, id, contactId, eventKey, createdAt }) => {
      const hashed = hash("sha256", idempotencyKey);
      return [idempotencyKey, hashed, hex(id), hex(contactId), eventKey, Date.parse(createdAt)].join(" ");
    });
    assertSame(events, await linesOf(storedEvents), "the events stored are those acknowledged, once each");
    assertSame(await linesOf(recount), await linesOf(summaries), "every summary equals a recount");
    const contacts = new Set(ledger.contacts.map(({ email, id }) => `${email} ${hex(id)}`));
    assertSame([...contacts], await linesOf(storedContacts), "the contacts stored are those acknowledged, once each");
    assert.deepEqual(await linesOf(orphans), [], "every event and summary has its contact");
  } finally {
    await connection.end();
  }
}

const storedEvents = `SELECT JSON_UNQUOTE(JSON_EXTRACT(properties, '$.sent')), LOWER(HEX(idempotency_hash)), LOWER(HEX(id)),
  LOWER(HEX(contact_id)), CAST(event_key AS CHAR), created_at
FROM whodid_events`;

const recount = `SELECT HEX(contact_id), CAST(event_key AS CHAR), COUNT(*), MIN(created_at), MAX(created_at)
FROM whodid_events GROUP BY contact_id, event_key`;

const summaries = `SELECT HEX(contact_id), CAST(event_key AS CHAR), event_count, first_at, last_at FROM whodid_summaries
WHERE event_key <> '${pastKey}'`;

const storedContacts = "SELECT CAST(email AS CHAR), LOWER(HEX(id)) FROM whodid_contacts";

const orphans = ["events", "summaries"]
  .map(
    (table) => `SELECT '${table}', HEX(o.contact_id), CAST(o.event_key AS CHAR)
FROM whodid_${table} o LEFT JOIN whodid_contacts c ON c.id = o.contact_id AND c.workspace = o.workspace WHERE c.id IS NULL`,
  )
  .join(" UNION ALL ");

/** The same lines as often, in any order; says which are not. */
function assertSame(expected: readonly string[], stored: readonly string[], message: string): void {
  const difference = groupBy(
    [...expected.map((line) => ({ line, sign: 1 })), ...stored.map((line) => ({ line, sign: -1 }))],
    ({ line }) => line,
  );
  const wrong = [...difference].flatMap(([line, found]) => {
    const missing = found.reduce((sum, { sign }) => sum + sign, 0);
    return missing === 0 ? [] : [`${missing > 0 ? "missing" : "too much"}: ${line}`];
  });
  assert.deepEqual(wrong.slice(0, 10), [], `${message} (${wrong.length} are not)`);
  assert.ok(expected.length > 0, message);
}

function hex(id: string): string {
  return id.replaceAll("-", "");
}
