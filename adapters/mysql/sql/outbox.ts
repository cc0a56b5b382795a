import { hexOf, integer, plain, sqlOf, uuid } from "./fragments.ts";
import { query, table, type Statement } from "./statement.ts";
import { microseconds } from "./subscriptions.ts";

/** The columns of a change in the log, without its position. */
export const changeColumns = "workspace, change_id, kind, contact_id, event_key, changed_at, body";

/** A change as the log stores it. */
export interface ChangeTableRow {
  workspace: string;
  id: string;
  kind: string;
  contactId: string;
  eventKey: string | null;
  at: number;
  body: string;
}

const clock = sqlOf(`(${microseconds}) DIV 1000`);

/** Inserts the changes as one row, which is many times cheaper than a row for each. `deletedId` is a contact that was deleted. */
export function insertChanges(rows: readonly ChangeTableRow[], deletedId: string | null): Statement {
  const body = JSON.stringify(rows.map(toArray));
  return query("insertChanges")`
  INSERT INTO ${table.outbox} (change_count, body_bytes, deleted_id, added_at, body)
  VALUES (${rows.length}, ${Buffer.byteLength(body)}, ${uuid(deletedId)}, ${clock}, ${plain(body)})`;
}

/** Lists the first rows, in one snapshot, from the start of the table. */
export const listWaiting = (limit: number): Statement => query("listWaiting")`
  SELECT id, change_count, body_bytes, deleted_id FROM ${table.outbox} FORCE INDEX (PRIMARY) ORDER BY id LIMIT ${integer(limit)}`;

/** Counts the changes of the first rows, and finds the age of the first. */
export const countWaiting = (limit: number): Statement => query("countWaiting")`
  SELECT COALESCE(SUM(o.change_count), 0) AS waiting, COALESCE(${clock} - MIN(o.added_at), 0) AS age
  FROM (SELECT change_count, added_at FROM ${table.outbox} FORCE INDEX (PRIMARY) ORDER BY id LIMIT ${integer(limit)}) o`;

/** Copies the changes of these rows into the log. The first change of a row gets the position after `before`. */
export const logWaiting = (rows: readonly { id: number; before: number }[]): Statement => query("logWaiting")`
  INSERT INTO ${table.changes} (position, ${sqlOf(changeColumns)})
  SELECT named.before_position + c.number, c.workspace, UNHEX(c.change_id), c.kind, UNHEX(c.contact_id), c.event_key, c.changed_at, c.body
  FROM JSON_TABLE(${plain(JSON.stringify(rows.map(({ id, before }) => [id, before])))}, '$[*]' COLUMNS (
    id BIGINT PATH '$[0]', before_position BIGINT PATH '$[1]')) named
  STRAIGHT_JOIN ${table.outbox} o FORCE INDEX (PRIMARY) ON o.id = named.id
  STRAIGHT_JOIN JSON_TABLE(o.body, '$[*]' COLUMNS (number FOR ORDINALITY,
    workspace VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]', change_id CHAR(32) PATH '$[1]', kind VARCHAR(30) PATH '$[2]',
    contact_id CHAR(32) PATH '$[3]', event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[4]', changed_at BIGINT PATH '$[5]',
    body MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[6]')) c`;

export const deleteWaiting = (ids: readonly number[]): Statement => query("deleteWaiting")`
  DELETE o FROM JSON_TABLE(${plain(JSON.stringify(ids))}, '$[*]' COLUMNS (id BIGINT PATH '$')) named
  STRAIGHT_JOIN ${table.outbox} o FORCE INDEX (PRIMARY) ON o.id = named.id`;

function toArray({ workspace, id, kind, contactId, eventKey, at, body }: ChangeTableRow): (string | number | null)[] {
  return [workspace, hexOf(id), kind, hexOf(contactId), eventKey, at, body];
}
