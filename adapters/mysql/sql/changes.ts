/** The log of changes. */
import type { ChangeReader } from "../../../lib/storage/changes.ts";
import type { StoredTopics } from "../../../lib/storage/rows.ts";
import { keyedTopics } from "./change-rows.ts";
import { changeColumns } from "./outbox.ts";
import { slotState } from "./slots.ts";
import { hexOf, joined, type Fragment } from "./fragments.ts";
import type { Statement } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

/** The part of the log of a workspace after `from`, up to and including `to`. */
export interface LogRange {
  workspace: string;
  from: number;
  to: number;
}

type Order = "ASC" | "DESC";

/** The columns of a change in a list of one workspace. */
export const listedColumns: string = changeColumns
  .split(", ")
  .filter((name) => name !== "workspace")
  .map((name) => `c.${name}`)
  .join(", ");

/** Tests whether the change is in the range. `valuesOf` returns the values of the test. */
export const range = "c.workspace = CAST(? AS BINARY) AND c.position > ? AND c.position <= ?";

/**
 * Tests whether the contact `k` of the change exists, or the change is its deletion. The next pass removes the other changes of a
 * deleted contact.
 */
export const isShown = "(k.id IS NOT NULL OR c.kind = 'contact_deleted')";

export function valuesOf({ workspace, from, to }: LogRange): string[] {
  return [workspace, String(from), String(to)];
}

/**
 * Lists the first changes of the range on the topics, or with `DESC` the last ones, both in the order of the log. Each row also has
 * the beginning of the subscription, from the same snapshot. Otherwise a removal of old changes in between would leave a gap.
 * Without changes there is one row, whose position is NULL.
 */
export const listChanges =
  (subscriptionId: string, topics: StoredTopics, listed: LogRange, limit: number, order: Order = "ASC"): Statement =>
  ({ subscriptions, changes, contacts, events }) => {
    const taken = isTaken(topics);
    return {
      name: "listChanges",
      sql: `SELECT s.first_position, c.*, e.properties FROM ${subscriptions} s
LEFT JOIN (SELECT c.position, ${listedColumns}
  FROM ${changes} c FORCE INDEX (PRIMARY) LEFT JOIN ${contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id
  WHERE ${range} AND ${taken.sql} AND ${isShown} ORDER BY c.position ${order} LIMIT ?) c ON c.position > 0
LEFT JOIN ${events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
WHERE s.id = UNHEX(?) ORDER BY c.position`,
      values: [...valuesOf(listed), ...taken.values, String(limit), hexOf(subscriptionId)],
    };
  };

const isKeyed = `c.event_key IN (SELECT CAST(k AS BINARY) FROM JSON_TABLE(?, '$[*]' COLUMNS (k VARCHAR(100) CHARACTER SET utf8mb4 PATH '$')) keyed)`;

/** `isTaken` of `lib/decisions/changes.ts`. */
export function isTaken(topics: StoredTopics): Fragment {
  const { events, contacts, checklists, audiences } = keyedTopics(topics);
  const tests: Fragment[] = [];
  if (events === true) tests.push({ sql: "c.kind = 'event_recorded'", values: [] });
  else if (events) tests.push({ sql: `(c.kind = 'event_recorded' AND ${isKeyed})`, values: [JSON.stringify(events)] });
  if (contacts) tests.push({ sql: "c.kind IN ('contact_created', 'contact_updated', 'contact_deleted')", values: [] });
  if (checklists) tests.push({ sql: "c.kind IN ('item_completed', 'checklist_completed')", values: [] });
  if (audiences) {
    const sql = `(c.kind IN ('audience_entered', 'audience_left') AND ${isKeyed})`;
    tests.push({ sql, values: [JSON.stringify(audiences)] });
  }
  const { sql, values } = joined(tests, " OR ");
  return { sql: `(${sql})`, values };
}

/** Finds the position of change number `count` + 1 of the range, from its start or, with `DESC`, from its end. */
export const findPosition =
  ({ workspace, from, to }: LogRange, count: number, order: Order = "ASC"): Statement =>
  ({ changes }) => ({
    name: "findPosition",
    sql: `SELECT c.position FROM ${changes} c FORCE INDEX (PRIMARY) WHERE ${range} ORDER BY c.position ${order} LIMIT 1 OFFSET ${count}`,
    values: valuesOf({ workspace, from, to }),
  });

/**
 * Finds work, in one snapshot. The first row shows whether changes wait to be logged, whether watches are to begin, and whether
 * there is a subscription. Rows with a body are the readers' subscriptions. The other rows are the kinds of changes after the
 * workspaces' positions, among the first `count` changes in all, in the order of the workspaces.
 */
export const findWork =
  (readers: readonly ChangeReader[], positions: ReadonlyMap<string, number>, count: number): Statement =>
  ({ definitions, subscriptions, changeHeads, changes, outbox, watches, slots, waiting }) => ({
    name: "findWork",
    sql: `SELECT NULL AS workspace, NULL AS name, NULL AS body, EXISTS (SELECT 1 FROM ${outbox}) AS first_position,
  EXISTS (SELECT 1 FROM ${watches} WHERE has_ended = 1 OR ready_at IS NULL) AS last_position, NULL AS kind,
  EXISTS (SELECT 1 FROM ${subscriptions}) AS change_count, NULL AS slot_state, NULL AS is_due
UNION ALL SELECT d.workspace, d.definition_key, d.body, s.first_position, h.position, NULL, NULL,
  IF(named.is_consumer, (SELECT ${slotState} FROM ${slots} t FORCE INDEX (PRIMARY) WHERE t.subscription_id = s.id), NULL),
  IF(named.is_consumer, EXISTS (SELECT 1 FROM ${waiting} w FORCE INDEX (by_due)
    STRAIGHT_JOIN ${slots} t FORCE INDEX (PRIMARY) ON t.subscription_id = w.subscription_id AND t.slot = w.slot
    WHERE w.subscription_id = s.id AND w.due_at <= ${milliseconds} AND (t.token IS NULL OR t.leased_until <= ${milliseconds})), 0)
FROM (SELECT CAST(w AS BINARY) AS workspace, CAST(k AS BINARY) AS name, MAX(c) AS is_consumer FROM JSON_TABLE(?, '$[*]' COLUMNS (
  w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]', k VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[1]', c INT PATH '$[2]')) listed
  GROUP BY 1, 2) named
STRAIGHT_JOIN ${definitions} d FORCE INDEX (by_key)
  ON d.workspace = named.workspace AND d.kind = CAST('subscription' AS BINARY) AND d.definition_key = named.name
STRAIGHT_JOIN ${subscriptions} s FORCE INDEX (PRIMARY) ON s.id = d.id
STRAIGHT_JOIN ${changeHeads} h FORCE INDEX (PRIMARY) ON h.id = 1
UNION ALL SELECT c.workspace, c.event_key, NULL, MIN(c.position), MAX(c.position), c.kind, COUNT(*), NULL, NULL
FROM (SELECT c.workspace, c.position, c.kind, c.event_key FROM ${changes} c FORCE INDEX (PRIMARY)
  WHERE ${Array.from(positions, () => "c.workspace = CAST(? AS BINARY) AND c.position > ?").join(" OR ") || "FALSE"}
  ORDER BY c.workspace, c.position LIMIT ${count}) c
GROUP BY c.workspace, c.kind, c.event_key`,
    values: [
      JSON.stringify(
        readers.map(({ workspace, key, slotState: state }) => [workspace, key, state === undefined ? 0 : 1]),
      ),
      ...Array.from(positions, ([workspace, position]) => [workspace, String(position)]).flat(),
    ],
    isVariable: true,
  });

/** Finds the position of the oldest change of each workspace. */
export const findOldest: Statement = ({ changes }) => ({
  name: "findOldest",
  sql: `SELECT workspace, MIN(position) AS position FROM ${changes} GROUP BY workspace`,
  values: [],
});

/** Locks the change, so that no pass removes it until the end of the transaction. */
export const lockChange =
  (workspace: string, position: number): Statement =>
  ({ changes }) => ({
    name: "lockChange",
    sql: `SELECT position FROM ${changes} WHERE workspace = CAST(? AS BINARY) AND position = ? LOCK IN SHARE MODE`,
    values: [workspace, String(position)],
  });

/** Lists the first changes of the range, without their contents. */
export const listOld =
  (listed: LogRange, limit: number): Statement =>
  ({ changes }) => ({
    name: "listOld",
    sql: `SELECT c.position, c.kind, c.event_key FROM ${changes} c FORCE INDEX (PRIMARY) WHERE ${range} ORDER BY c.position LIMIT ?`,
    values: [...valuesOf(listed), String(limit)],
  });

/** Lists changes of each contact up to a position, without the deletion itself. */
export const listChangesOf =
  (contacts: readonly { contactId: string; to: number }[], limit: number): Statement =>
  ({ changes }) => ({
    name: "listChangesOf",
    sql: `SELECT c.workspace, c.position
FROM (SELECT UNHEX(id) AS contact_id, last_position FROM JSON_TABLE(?, '$[*]' COLUMNS (
  id CHAR(32) PATH '$[0]', last_position BIGINT PATH '$[1]')) listed) named
STRAIGHT_JOIN ${changes} c FORCE INDEX (by_contact) ON c.contact_id = named.contact_id AND c.position <= named.last_position
WHERE c.kind <> 'contact_deleted' LIMIT ?`,
    values: [JSON.stringify(contacts.map(({ contactId, to }) => [hexOf(contactId), to])), String(limit)],
  });

export const deleteChanges =
  (listed: readonly { workspace: string; position: number }[]): Statement =>
  ({ changes }) => ({
    name: "deleteChanges",
    sql: `DELETE c FROM (SELECT CAST(w AS BINARY) AS workspace, position
  FROM JSON_TABLE(?, '$[*]' COLUMNS (w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]', position BIGINT PATH '$[1]')) listed) named
STRAIGHT_JOIN ${changes} c FORCE INDEX (PRIMARY) ON c.workspace = named.workspace AND c.position = named.position`,
    values: [JSON.stringify(listed.map(({ workspace, position }) => [workspace, position]))],
  });
