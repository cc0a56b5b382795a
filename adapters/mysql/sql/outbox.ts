import { hexOf, type Statement } from "./statement.ts";
import { microseconds } from "./subscriptions.ts";

/** The columns that a change has in the outbox and in the log. */
export const changeColumns = "workspace, change_id, kind, contact_id, event_key, changed_at, body";

/** A row of the outbox to insert. */
export interface ChangeTableRow {
  workspace: string;
  id: string;
  kind: string;
  contactId: string;
  eventKey: string | null;
  at: number;
  body: string;
}

export const insertChanges =
  (rows: readonly ChangeTableRow[]): Statement =>
  ({ outbox }) =>
    rows.length === 1
      ? {
          name: "insertChanges",
          sql: `INSERT INTO ${outbox} (${changeColumns})
VALUES (CAST(? AS BINARY), UNHEX(?), CAST(? AS BINARY), UNHEX(?), CAST(? AS BINARY), ?, ?)`,
          values: rows.flatMap(toArray),
        }
      : {
          name: "insertChanges",
          sql: `INSERT INTO ${outbox} (${changeColumns})
SELECT workspace, UNHEX(change_id), kind, UNHEX(contact_id), event_key, changed_at, body
FROM JSON_TABLE(?, '$[*]' COLUMNS (
  workspace VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]', change_id CHAR(32) PATH '$[1]', kind VARCHAR(30) PATH '$[2]',
  contact_id CHAR(32) PATH '$[3]', event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[4]', changed_at BIGINT PATH '$[5]',
  body MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[6]')) written`,
          values: [JSON.stringify(rows.map(toArray))],
        };

/** Lists the first changes, in one snapshot, from the start of the table. `deleted_id` is the contact of a deletion, else NULL. */
export const listWaiting =
  (limit: number): Statement =>
  ({ outbox }) => ({
    name: "listWaiting",
    sql: `SELECT id, LENGTH(body) AS bytes, IF(kind = 'contact_deleted', contact_id, NULL) AS deleted_id
FROM ${outbox} FORCE INDEX (PRIMARY) ORDER BY id LIMIT ?`,
    values: [String(limit)],
  });

/** Counts the changes, up to the limit, and finds the time of the first. */
export const countWaiting =
  (limit: number): Statement =>
  ({ outbox }) => ({
    name: "countWaiting",
    sql: `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM ${outbox} LIMIT ?) counted) AS waiting,
  (SELECT changed_at FROM ${outbox} ORDER BY id LIMIT 1) AS oldest_at, ${microseconds} AS clock`,
    values: [String(limit)],
  });

const listedIds = `JSON_TABLE(?, '$[*]' COLUMNS (number FOR ORDINALITY, id BIGINT PATH '$')) named`;

/** Copies the changes into the log. The first gets the position after `end`. */
export const logWaiting =
  (ids: readonly number[], end: number): Statement =>
  ({ outbox, changes }) => ({
    name: "logWaiting",
    sql: `INSERT INTO ${changes} (position, ${changeColumns})
SELECT ? + named.number, ${changeColumns}
FROM ${listedIds} STRAIGHT_JOIN ${outbox} o FORCE INDEX (PRIMARY) ON o.id = named.id`,
    values: [String(end), JSON.stringify(ids)],
  });

export const deleteWaiting =
  (ids: readonly number[]): Statement =>
  ({ outbox }) => ({
    name: "deleteWaiting",
    sql: `DELETE o FROM ${listedIds} STRAIGHT_JOIN ${outbox} o FORCE INDEX (PRIMARY) ON o.id = named.id`,
    values: [JSON.stringify(ids)],
  });

function toArray({ workspace, id, kind, contactId, eventKey, at, body }: ChangeTableRow): (string | number | null)[] {
  return [workspace, hexOf(id), kind, hexOf(contactId), eventKey, at, body];
}
