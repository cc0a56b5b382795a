/** The statements of `../events/plain-batch.ts`. Each column that JSON_TABLE need not read saves the database a microsecond an event. */
import type { EventRow } from "../../../lib/storage/rows.ts";
import { addUp, type SummaryChange } from "./events.ts";
import { hexOf, type Statement } from "./statement.ts";

/** Locks the contacts with these effective externalIds, and finds their ids; `place` counts the names from 1. */
export const lockByExternalId =
  (workspace: string, names: readonly string[]): Statement =>
  ({ contacts }) => ({
    name: "lockByExternalId",
    sql: `SELECT named.place, c.id
FROM (SELECT place, CAST(n AS BINARY) AS name
  FROM JSON_TABLE(?, '$[*]' COLUMNS (place FOR ORDINALITY, n VARCHAR(255) CHARACTER SET utf8mb4 PATH '$')) listed) named
STRAIGHT_JOIN ${contacts} c FORCE INDEX (by_external_id)
  ON c.workspace = CAST(? AS BINARY) AND c.effective_external_id = named.name FOR UPDATE SKIP LOCKED`,
    values: [JSON.stringify(names), workspace],
  });

/** Adds one event to each of the summaries. */
export const addOneToSummaries =
  (workspace: string, changes: readonly SummaryChange[]): Statement =>
  ({ summaries }) => ({
    name: "addOneToSummaries",
    sql: `INSERT INTO ${summaries} (contact_id, event_key, workspace, event_count, first_at, last_at)
SELECT UNHEX(contact_id), event_key, CAST(? AS BINARY), 1, created_at, created_at
FROM JSON_TABLE(?, '$[*]' COLUMNS (
  contact_id CHAR(32) PATH '$[0]', event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[1]', created_at BIGINT PATH '$[2]')) added
${addUp(summaries)}`,
    values: [
      workspace,
      JSON.stringify(changes.map(({ contactId, eventKey, firstAt }) => [hexOf(contactId), eventKey, firstAt])),
    ],
  });

/** Inserts events without an idempotency key and completed items. */
export const insertPlainEvents =
  (workspace: string, rows: readonly EventRow[]): Statement =>
  ({ events }) => ({
    name: "insertPlainEvents",
    sql: `INSERT INTO ${events} (id, workspace, contact_id, event_key, properties, created_at)
SELECT UNHEX(id), CAST(? AS BINARY), UNHEX(contact_id), event_key, properties, created_at
FROM JSON_TABLE(?, '$[*]' COLUMNS (
  id CHAR(32) PATH '$[0]', contact_id CHAR(32) PATH '$[1]', event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[2]',
  properties MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[3]', created_at BIGINT PATH '$[4]')) written`,
    values: [
      workspace,
      JSON.stringify(
        rows.map(({ id, contactId, eventKey, properties, createdAt }) => [
          hexOf(id),
          hexOf(contactId),
          eventKey,
          properties,
          createdAt,
        ]),
      ),
    ],
  });
