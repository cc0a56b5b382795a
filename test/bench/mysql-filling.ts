import { createConnection, type ResultSetHeader } from "mysql2/promise";
import { query } from "../support/queries.ts";

const perStatement = 200_000;

/**
 * Gives each of the contacts user0@example.com to user${contacts - 1}@example.com its number of events, straight into the
 * tables: a millisecond apart, the contacts taking turns, five event keys, each event with an Idempotency-Key. The summaries
 * are a count of them.
 */
export async function fill(databaseUrl: string, contacts: number, eventsOfEach: number): Promise<void> {
  const connection = await createConnection(databaseUrl);
  const total = contacts * eventsOfEach;
  await connection.query("CREATE TEMPORARY TABLE owners (number INT PRIMARY KEY, id BINARY(16) NOT NULL)");
  await connection.query(
    `INSERT INTO owners SELECT number, c.id
     FROM JSON_TABLE(?, '$[*]' COLUMNS (number INT PATH '$')) numbers
     JOIN whodid_contacts c ON c.workspace = 'default' AND c.email = CAST(CONCAT('user', number, '@example.com') AS BINARY)`,
    [numbers(contacts)],
  );
  const begin = Date.now() - total;
  for (let first = 0; first < total; first += perStatement) {
    const count = Math.min(perStatement, total - first);
    // In the order of the hashes, whose places in their index are random: else each row reads a page of it and writes one.
    const [{ affectedRows }] = await connection.query<ResultSetHeader>(
      `INSERT INTO whodid_events
         (id, workspace, contact_id, event_key, properties, created_at, idempotency_hash, fingerprint)
       SELECT UNHEX(CONCAT(LPAD(HEX(? + n), 12, '0'), '70008000', LPAD(HEX(n), 12, '0'))), 'default', o.id,
         ELT(1 + n DIV ? % 5, 'signup_completed', 'page_viewed', 'purchase_completed', 'report_created', 'feature_used'),
         '{"plan":"pro","amount":42.5,"trial":false}', ? + n, UNHEX(SHA2(n, 256)) AS hash, UNHEX(SHA2('body', 256))
       FROM (SELECT ? + 1000 * thousands + units AS n
         FROM JSON_TABLE(?, '$[*]' COLUMNS (thousands INT PATH '$')) upper
         JOIN JSON_TABLE(?, '$[*]' COLUMNS (units INT PATH '$')) lower) numbered
       JOIN owners o ON o.number = n % ?
       WHERE n < ? ORDER BY hash`,
      [begin, contacts, begin, first, numbers(Math.ceil(count / 1_000)), numbers(1_000), contacts, total],
    );
    if (affectedRows !== count) throw new Error(`${affectedRows} events of ${count}`);
  }
  await connection.query(
    `INSERT INTO whodid_summaries (contact_id, event_key, workspace, event_count, first_at, last_at)
     SELECT contact_id, event_key, 'default', COUNT(*), MIN(created_at), MAX(created_at) FROM whodid_events GROUP BY 1, 2`,
  );
  await connection.end();
}

/** Takes all events and summaries away, and leaves the contacts. */
export async function empty(databaseUrl: string): Promise<void> {
  for (const table of ["events", "summaries"]) await query(databaseUrl, `TRUNCATE TABLE whodid_${table}`);
}

function numbers(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => index));
}
