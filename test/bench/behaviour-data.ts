import type { Pool } from "mysql2/promise";
import { format } from "./rounds.ts";

/** When the data ends. */
export const now: number = Date.parse("2026-11-20T10:00:00.000Z");

export interface Sizes {
  contacts: number;
  events: number;
}

const perStatement = 250_000;
const otherKeys = 19;

/**
 * Straight into the tables, by numbers from JSON_TABLE. The id of contact n begins with n in 12 digits, and its email is
 * `usern@example.com`. The first of its events is a "signup"; the others are of 19 keys, "step_00" and on. Every fifth contact is
 * busy: they share nine tenths of the events. Each has a total below 200. Event n belongs to a contact drawn by a hash of n, and
 * happened that share of a year before the end that another gives.
 * Summaries are what GROUP BY makes of the events.
 */
export async function fillBehaviour(pool: Pool, { contacts, events }: Sizes): Promise<void> {
  const connection = await pool.getConnection();
  const begun = performance.now();
  const inSteps = async (count: number, statement: string, values: number[]): Promise<void> => {
    for (let first = 0; first < count; first += perStatement) {
      const length = Math.min(perStatement, count - first);
      await connection.query(
        statement.replace("NUMBERS", `(SELECT seq + ${first} AS n FROM numbers WHERE seq < ${length}) numbered`),
        values,
      );
    }
  };
  await connection.query("SET SESSION foreign_key_checks = 0, unique_checks = 0");
  await connection.query("CREATE TEMPORARY TABLE numbers (seq INT PRIMARY KEY)");
  await connection.query(
    "INSERT INTO numbers SELECT seq FROM JSON_TABLE(?, '$[*]' COLUMNS (seq INT PATH '$')) listed",
    [JSON.stringify(Array.from({ length: perStatement }, (_, index) => index))],
  );
  await inSteps(
    contacts,
    `INSERT INTO whodid_contacts (id, workspace, email, attributes, created_at, updated_at)
     SELECT UNHEX(RPAD(LPAD(HEX(n), 12, '0'), 32, '0')), 'default', CONCAT('user', n, '@example.com'), '{}', n, n FROM NUMBERS`,
    [],
  );
  // Hashes of the number: the same data each time. The first event of each contact is its signup.
  await inSteps(
    events,
    `INSERT INTO whodid_events (id, workspace, contact_id, event_key, properties, created_at)
     SELECT UNHEX(LPAD(HEX(n), 32, '0')), 'default',
       UNHEX(RPAD(LPAD(HEX(IF(n < ?, n, IF(n % 10 = 0, CRC32(n) % ?, 5 * (CRC32(n) % ?)))), 12, '0'), 32, '0')),
       IF(n < ?, 'signup', CONCAT('step_', LPAD(CRC32(CONCAT('key', n)) % ?, 2, '0'))), CONCAT('{"plan":"pro","total":', CRC32(CONCAT('total', n)) % 200, '}'),
       ? - FLOOR(365 * 86400000 * (CRC32(CONCAT('time', n)) / 4294967296))
     FROM NUMBERS`,
    [contacts, contacts, Math.ceil(contacts / 5), contacts, otherKeys, now],
  );
  await connection.query(
    `INSERT INTO whodid_summaries (contact_id, event_key, workspace, event_count, first_at, last_at)
     SELECT contact_id, event_key, workspace, COUNT(*), MIN(created_at), MAX(created_at) FROM whodid_events GROUP BY 1, 2, 3`,
  );
  await connection.query("ANALYZE TABLE whodid_contacts, whodid_events, whodid_summaries");
  const [rows] = await connection.query("SELECT COUNT(*) AS n FROM whodid_summaries");
  const summaries = (rows as [{ n: number }])[0].n;
  connection.release();
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(
    `${format(contacts)} contacts, ${format(events)} events, ${format(summaries)} summaries, loaded in ${seconds} s`,
  );
}
