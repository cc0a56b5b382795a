import type { EventSummary, EventRow } from "../../../lib/storage/rows.ts";
import { bytes, hexOf, integer, named, plain, sqlOf, uuid, type Fragment } from "./fragments.ts";
import { query, table, template, type Statement, type Template } from "./statement.ts";
import type { Lock, Name } from "./contacts.ts";

/** An event to insert, and its workspace. */
export interface NewEventRow {
  workspace: string;
  row: EventRow;
}

/** The change of one summary. */
export type SummaryChange = EventSummary & { workspace: string; contactId: string };

export const eventColumns: Fragment = sqlOf(
  "e.id, e.workspace, e.contact_id, e.event_key, e.properties, e.created_at, e.idempotency_hash, e.fingerprint, e.completed_items",
);

const eventsNamed = (ids: readonly string[]): Fragment => named(ids.map(hexOf), { id: "id" });

export const findEventsById = (ids: readonly string[], lock: Lock): Statement => query("findEventsById")`
  SELECT ${eventColumns} FROM ${eventsNamed(ids)}
  STRAIGHT_JOIN ${table.events} e FORCE INDEX (PRIMARY) ON e.id = named.id ${sqlOf(lock)}`;

const byIdempotency = (hashes: readonly Name[], selected: Fragment, lock: Lock): Template => template`
  SELECT ${selected} FROM ${named(hashes, { workspace: "workspace", hash: "hash" })}
  STRAIGHT_JOIN ${table.events} e FORCE INDEX (by_idempotency)
    ON e.workspace = named.workspace AND e.idempotency_hash = named.hash ${sqlOf(lock)}`;

export const findEventsByIdempotency = (hashes: readonly Name[], lock: Lock): Statement =>
  query("findEventsByIdempotency")`${byIdempotency(hashes, eventColumns, lock)}`;

/** Finds which of the hashes exist, from the index alone. */
export function findIdempotencyHashes(hashes: readonly Name[]): Statement {
  const find = query("findIdempotencyHashes");
  const [only] = hashes;
  if (!only || hashes.length > 1) return find`${byIdempotency(hashes, sqlOf("e.workspace, e.idempotency_hash"), "")}`;
  return find`
  SELECT e.workspace, e.idempotency_hash FROM ${table.events} e FORCE INDEX (by_idempotency)
  WHERE e.workspace = ${only[0]} AND e.idempotency_hash = ${bytes(only[1])}`;
}

export const eventFields = "id, workspace, contact_id, event_key, properties, created_at";
export const rareFields = "idempotency_hash, fingerprint, completed_items";

/**
 * A single row is inserted without JSON_TABLE, which saves a tenth of the time of a single call. If no event of a batch has a
 * rare field, JSON_TABLE reads none of these fields, because each field takes the server time for every event.
 */
export function insertEvents(events: readonly NewEventRow[]): Statement {
  const insert = query("insertEvents");
  const [only] = events;
  if (only && events.length === 1) {
    const { workspace, row } = only;
    return insert`
  INSERT INTO ${table.events} (${sqlOf(`${eventFields}, ${rareFields}`)})
  VALUES (${uuid(row.id)}, ${workspace}, ${uuid(row.contactId)}, ${row.eventKey}, ${plain(row.properties)},
    ${row.createdAt}, ${bytes(row.idempotencyHash)}, ${bytes(row.fingerprint)}, ${plain(row.completedItems)})`;
  }
  const hasRare = events.some(({ row }) => rareOf(row).some((value) => value !== null));
  const ifRare = (sql: string): Fragment => sqlOf(hasRare ? sql : "");
  const written = events.map((event) => (hasRare ? [...toArray(event), ...rareOf(event.row)] : toArray(event)));
  return insert`
  INSERT INTO ${table.events} (${sqlOf(eventFields)}${ifRare(`, ${rareFields}`)})
  SELECT UNHEX(id), workspace, UNHEX(contact_id), event_key, properties, created_at
    ${ifRare(", UNHEX(idempotency_hash), UNHEX(fingerprint), completed_items")}
  FROM JSON_TABLE(${plain(JSON.stringify(written))}, '$[*]' COLUMNS (
    id CHAR(32) PATH '$[0]', workspace VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[1]', contact_id CHAR(32) PATH '$[2]',
    event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[3]', properties MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[4]',
    created_at BIGINT PATH '$[5]'${ifRare(rareColumns)})) written`;
}

const rareColumns = `, idempotency_hash CHAR(64) PATH '$[6]', fingerprint CHAR(64) PATH '$[7]',
    completed_items MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[8]'`;

export const addUp = (summaries: string): string => `ON DUPLICATE KEY UPDATE
  event_count = ${summaries}.event_count + VALUES(event_count), first_at = LEAST(${summaries}.first_at, VALUES(first_at)),
  last_at = GREATEST(${summaries}.last_at, VALUES(last_at))`;

export const summaryColumns = "contact_id, event_key, workspace, event_count, first_at, last_at";

export function addToSummaries(changes: readonly SummaryChange[]): Statement {
  const add = query("addToSummaries");
  const sums: Template = ({ summaries }) => sqlOf(addUp(summaries));
  const [only] = changes;
  if (only && changes.length === 1)
    return add`
  INSERT INTO ${table.summaries} (${sqlOf(summaryColumns)}) VALUES (
    ${uuid(only.contactId)}, ${only.eventKey}, ${only.workspace}, ${only.count}, ${only.firstAt}, ${only.lastAt}) ${sums}`;
  return add`
  INSERT INTO ${table.summaries} (${sqlOf(summaryColumns)})
  SELECT UNHEX(contact_id), event_key, workspace, event_count, first_at, last_at
  FROM JSON_TABLE(${plain(JSON.stringify(changes.map(toSummaryArray)))}, '$[*]' COLUMNS (
    contact_id CHAR(32) PATH '$[0]', event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[1]',
    workspace VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[2]', event_count BIGINT PATH '$[3]', first_at BIGINT PATH '$[4]',
    last_at BIGINT PATH '$[5]')) added ${sums}`;
}

export const deleteEvents = (ids: readonly string[]): Statement => query("deleteEvents")`
  DELETE e FROM ${eventsNamed(ids)} STRAIGHT_JOIN ${table.events} e ON e.id = named.id`;

// Without the hints the optimizer reads the whole table for a contact that has, or had, a large part of it.
export const deleteEventsOf = (contactId: string): Statement => query("deleteEventsOf")`
  DELETE e FROM ${table.events} e FORCE INDEX (by_contact) WHERE e.contact_id = ${uuid(contactId)}`;

export const deleteSummariesOf = (contactId: string): Statement => query("deleteSummariesOf")`
  DELETE s FROM ${table.summaries} s FORCE INDEX (by_contact) WHERE s.contact_id = ${uuid(contactId)}`;

export const findSummaries = (workspace: string, contactId: string): Statement => query("findSummaries")`
  SELECT event_key, event_count, first_at, last_at FROM ${table.summaries} FORCE INDEX (by_contact)
  WHERE contact_id = ${uuid(contactId)} AND workspace = ${workspace} ORDER BY event_key`;

/** Finds the summaries of contacts and event keys. */
export function findSummariesOf(
  summaries: readonly { workspace: string; contactId: string; eventKey: string }[],
): Statement {
  const listed = summaries.map(({ workspace, contactId, eventKey }) => [hexOf(contactId), eventKey, workspace]);
  return query("findSummariesOf")`
  SELECT s.contact_id, s.event_key, s.event_count, s.first_at, s.last_at
  FROM ${named(listed, { contact_id: "id", event_key: "key", workspace: "workspace" })}
  STRAIGHT_JOIN ${table.summaries} s FORCE INDEX (PRIMARY)
    ON s.workspace = named.workspace AND s.event_key = named.event_key AND s.contact_id = named.contact_id`;
}

/**
 * Adds up the summaries key by key, in the order of the primary key, so that a page reads only its own keys. No event key is
 * empty.
 */
export const listEventUsage = (workspace: string, after: string | null, limit: number): Statement =>
  query("listEventUsage")`
  SELECT event_key, COUNT(*) AS contacts, SUM(event_count) AS event_count, MIN(first_at) AS first_at, MAX(last_at) AS last_at
  FROM ${table.summaries} FORCE INDEX (PRIMARY) WHERE workspace = ${workspace} AND event_key > ${after ?? ""}
  GROUP BY event_key ORDER BY event_key LIMIT ${integer(limit)}`;

function toArray({ workspace, row }: NewEventRow): (string | number)[] {
  const { id, contactId, eventKey, properties, createdAt } = row;
  return [hexOf(id), workspace, hexOf(contactId), eventKey, properties, createdAt];
}

function rareOf({ idempotencyHash, fingerprint, completedItems }: EventRow): (string | null)[] {
  return [idempotencyHash, fingerprint, completedItems];
}

function toSummaryArray(change: SummaryChange): (string | number)[] {
  const { contactId, eventKey, workspace, count, firstAt, lastAt } = change;
  return [hexOf(contactId), eventKey, workspace, count, firstAt, lastAt];
}
