import type { EventSummary, EventRow } from "../../../lib/storage/rows.ts";
import { hexOf, type Statement, type Tables } from "./statement.ts";
import type { Lock, Name } from "./contacts.ts";

export type EventTableRow = EventRow & { workspace: string };

/** The change of one summary. */
export type SummaryChange = EventSummary & { workspace: string; contactId: string };

export const eventColumns =
  "e.id, e.workspace, e.contact_id, e.event_key, e.properties, e.created_at, e.idempotency_hash, e.fingerprint, e.completed_items";

export const findEventsById =
  (ids: readonly string[], lock: Lock): Statement =>
  (tables) => ({
    name: "findEventsById",
    sql: `SELECT ${eventColumns}
FROM (SELECT UNHEX(id) AS id FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed) named
STRAIGHT_JOIN ${tables.events} e FORCE INDEX (PRIMARY) ON e.id = named.id ${lock}`,
    values: [JSON.stringify(ids.map(hexOf))],
  });

const byIdempotency = ({ events }: Tables, selected: string, lock: Lock): string => `SELECT ${selected}
FROM (SELECT CAST(w AS BINARY) AS workspace, UNHEX(h) AS hash
  FROM JSON_TABLE(?, '$[*]' COLUMNS (w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]', h CHAR(64) PATH '$[1]')) listed) named
STRAIGHT_JOIN ${events} e FORCE INDEX (by_idempotency) ON e.workspace = named.workspace AND e.idempotency_hash = named.hash ${lock}`;

export const findEventsByIdempotency =
  (hashes: readonly Name[], lock: Lock): Statement =>
  (tables) => ({
    name: "findEventsByIdempotency",
    sql: byIdempotency(tables, eventColumns, lock),
    values: [JSON.stringify(hashes)],
  });

/** Finds which of the hashes exist, from the index alone. */
export const findIdempotencyHashes =
  (hashes: readonly Name[]): Statement =>
  (tables) => ({
    name: "findIdempotencyHashes",
    ...(hashes.length === 1
      ? {
          sql: `SELECT e.workspace, e.idempotency_hash FROM ${tables.events} e FORCE INDEX (by_idempotency)
WHERE e.workspace = CAST(? AS BINARY) AND e.idempotency_hash = UNHEX(?)`,
          values: hashes.flat(),
        }
      : { sql: byIdempotency(tables, "e.workspace, e.idempotency_hash", ""), values: [JSON.stringify(hashes)] }),
  });

export const eventFields = "id, workspace, contact_id, event_key, properties, created_at";
export const rareFields = "idempotency_hash, fingerprint, completed_items";

/**
 * A single row is inserted without JSON_TABLE, which saves a tenth of the time of a single call. If no event of a batch has a
 * rare field, JSON_TABLE reads none of these fields, because each field takes the server time for every event.
 */
export const insertEvents =
  (rows: readonly EventTableRow[]): Statement =>
  ({ events }) => {
    if (rows.length === 1) {
      return {
        name: "insertEvents",
        sql: `INSERT INTO ${events} (${eventFields}, ${rareFields})
VALUES (UNHEX(?), CAST(? AS BINARY), UNHEX(?), CAST(? AS BINARY), ?, ?, UNHEX(?), UNHEX(?), ?)`,
        values: rows.flatMap((row) => [...toArray(row), ...rareOf(row)]),
      };
    }
    const hasRare = rows.some((row) => rareOf(row).some((value) => value !== null));
    return {
      name: "insertEvents",
      sql: `INSERT INTO ${events} (${eventFields}${hasRare ? `, ${rareFields}` : ""})
SELECT UNHEX(id), workspace, UNHEX(contact_id), event_key, properties, created_at${
        hasRare ? ", UNHEX(idempotency_hash), UNHEX(fingerprint), completed_items" : ""
      }
FROM JSON_TABLE(?, '$[*]' COLUMNS (
  id CHAR(32) PATH '$[0]', workspace VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[1]', contact_id CHAR(32) PATH '$[2]',
  event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[3]', properties MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[4]',
  created_at BIGINT PATH '$[5]'${hasRare ? rareColumns : ""})) written`,
      values: [JSON.stringify(rows.map((row) => (hasRare ? [...toArray(row), ...rareOf(row)] : toArray(row))))],
    };
  };

const rareColumns = `, idempotency_hash CHAR(64) PATH '$[6]', fingerprint CHAR(64) PATH '$[7]',
  completed_items MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[8]'`;

export const addUp = (summaries: string): string => `ON DUPLICATE KEY UPDATE
  event_count = ${summaries}.event_count + VALUES(event_count), first_at = LEAST(${summaries}.first_at, VALUES(first_at)),
  last_at = GREATEST(${summaries}.last_at, VALUES(last_at))`;

export const summaryColumns = "contact_id, event_key, workspace, event_count, first_at, last_at";

export const addToSummaries =
  (changes: readonly SummaryChange[]): Statement =>
  ({ summaries }) =>
    changes.length === 1
      ? {
          name: "addToSummaries",
          sql: `INSERT INTO ${summaries} (${summaryColumns})
VALUES (UNHEX(?), CAST(? AS BINARY), CAST(? AS BINARY), ?, ?, ?) ${addUp(summaries)}`,
          values: changes.flatMap(toSummaryArray),
        }
      : {
          name: "addToSummaries",
          sql: `INSERT INTO ${summaries} (${summaryColumns})
SELECT UNHEX(contact_id), event_key, workspace, event_count, first_at, last_at
FROM JSON_TABLE(?, '$[*]' COLUMNS (
  contact_id CHAR(32) PATH '$[0]', event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[1]',
  workspace VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[2]', event_count BIGINT PATH '$[3]', first_at BIGINT PATH '$[4]',
  last_at BIGINT PATH '$[5]')) added ${addUp(summaries)}`,
          values: [JSON.stringify(changes.map(toSummaryArray))],
        };

export const deleteEvents =
  (ids: readonly string[]): Statement =>
  (tables) => ({
    name: "deleteEvents",
    sql: `DELETE e
FROM (SELECT UNHEX(id) AS id FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed) named
STRAIGHT_JOIN ${tables.events} e ON e.id = named.id`,
    values: [JSON.stringify(ids.map(hexOf))],
  });

// Without the hints the optimizer reads the whole table for a contact that has, or had, a large part of it.
export const deleteEventsOf =
  (contactId: string): Statement =>
  (tables) => ({
    name: "deleteEventsOf",
    sql: `DELETE e FROM ${tables.events} e FORCE INDEX (by_contact) WHERE e.contact_id = UNHEX(?)`,
    values: [hexOf(contactId)],
  });

export const deleteSummariesOf =
  (contactId: string): Statement =>
  (tables) => ({
    name: "deleteSummariesOf",
    sql: `DELETE s FROM ${tables.summaries} s FORCE INDEX (by_contact) WHERE s.contact_id = UNHEX(?)`,
    values: [hexOf(contactId)],
  });

export const findSummaries =
  (workspace: string, contactId: string): Statement =>
  (tables) => ({
    name: "findSummaries",
    sql: `SELECT event_key, event_count, first_at, last_at FROM ${tables.summaries} FORCE INDEX (by_contact)
WHERE contact_id = UNHEX(?) AND workspace = CAST(? AS BINARY) ORDER BY event_key`,
    values: [hexOf(contactId), workspace],
  });

/** Finds the summaries of contacts and event keys. */
export const findSummariesOf =
  (named: readonly { workspace: string; contactId: string; eventKey: string }[]): Statement =>
  (tables) => ({
    name: "findSummariesOf",
    sql: `SELECT s.contact_id, s.event_key, s.event_count, s.first_at, s.last_at
FROM (SELECT UNHEX(c) AS contact_id, CAST(k AS BINARY) AS event_key, CAST(w AS BINARY) AS workspace
  FROM JSON_TABLE(?, '$[*]' COLUMNS (c CHAR(32) PATH '$[0]', k VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[1]',
    w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[2]')) listed) named
STRAIGHT_JOIN ${tables.summaries} s FORCE INDEX (PRIMARY)
  ON s.workspace = named.workspace AND s.event_key = named.event_key AND s.contact_id = named.contact_id`,
    values: [
      JSON.stringify(named.map(({ workspace, contactId, eventKey }) => [hexOf(contactId), eventKey, workspace])),
    ],
  });

/** Adds up the summaries key by key, in the order of the primary key, so that a page reads only its own keys. */
export const listEventUsage =
  (workspace: string, after: string | null, limit: number): Statement =>
  (tables) => ({
    name: "listEventUsage",
    // No event key is empty.
    sql: `SELECT event_key, COUNT(*) AS contacts, SUM(event_count) AS event_count, MIN(first_at) AS first_at, MAX(last_at) AS last_at
FROM ${tables.summaries} FORCE INDEX (PRIMARY)
WHERE workspace = CAST(? AS BINARY) AND event_key > CAST(? AS BINARY) GROUP BY event_key ORDER BY event_key LIMIT ?`,
    values: [workspace, after ?? "", String(limit)],
  });

function toArray(row: EventTableRow): (string | number)[] {
  const { id, workspace, contactId, eventKey, properties, createdAt } = row;
  return [hexOf(id), workspace, hexOf(contactId), eventKey, properties, createdAt];
}

function rareOf({ idempotencyHash, fingerprint, completedItems }: EventTableRow): (string | null)[] {
  return [idempotencyHash, fingerprint, completedItems];
}

function toSummaryArray({
  contactId,
  eventKey,
  workspace,
  count,
  firstAt,
  lastAt,
}: SummaryChange): (string | number)[] {
  return [hexOf(contactId), eventKey, workspace, count, firstAt, lastAt];
}
