/** The log of changes. */
import type { ChangeReader } from "../../../lib/storage/changes.ts";
import type { StoredTopics } from "../../../lib/storage/rows.ts";
import { keyedTopics } from "./change-rows.ts";
import { changeColumns } from "./outbox.ts";
import { slotState } from "./slots.ts";
import { fragment, hexOf, integer, joined, named, plain, sqlOf, uuid, type Fragment } from "./fragments.ts";
import { query, table, type Statement } from "./statement.ts";
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

/** Tests whether the change is in the range. */
export function isWithin({ workspace, from, to }: LogRange): Fragment {
  return fragment`c.workspace = ${workspace} AND c.position > ${integer(from)} AND c.position <= ${integer(to)}`;
}

/**
 * Tests whether the contact `k` of the change exists, or the change is its deletion. The next pass removes the other changes of a
 * deleted contact.
 */
export const isShown = "(k.id IS NOT NULL OR c.kind = 'contact_deleted')";

/**
 * Lists the first changes of the range on the topics, or with `DESC` the last ones, both in the order of the log. Each row also has
 * the beginning of the subscription, from the same snapshot. Otherwise a removal of old changes in between would leave a gap.
 * Without changes there is one row, whose position is NULL.
 */
export const listChanges = (
  subscriptionId: string,
  topics: StoredTopics,
  listed: LogRange,
  limit: number,
  order: Order = "ASC",
): Statement => query("listChanges")`
  SELECT s.first_position, c.*, e.properties FROM ${table.subscriptions} s
  LEFT JOIN (SELECT c.position, ${sqlOf(listedColumns)}
    FROM ${table.changes} c FORCE INDEX (PRIMARY) LEFT JOIN ${table.contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id
    WHERE ${isWithin(listed)} AND ${isTaken(topics)} AND ${sqlOf(isShown)}
    ORDER BY c.position ${sqlOf(order)} LIMIT ${integer(limit)}) c ON c.position > 0
  LEFT JOIN ${table.events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
  WHERE s.id = ${uuid(subscriptionId)} ORDER BY c.position`;

const isKeyed = (
  keys: readonly string[],
): Fragment => fragment`c.event_key IN (SELECT CAST(k AS BINARY) FROM JSON_TABLE(
  ${plain(JSON.stringify(keys))}, '$[*]' COLUMNS (k VARCHAR(100) CHARACTER SET utf8mb4 PATH '$')) keyed)`;

/** `isTaken` of `lib/decisions/changes.ts`. */
export function isTaken(topics: StoredTopics): Fragment {
  const { events, contacts, checklists, audiences } = keyedTopics(topics);
  const tests: Fragment[] = [];
  if (events === true) tests.push(sqlOf("c.kind = 'event_recorded'"));
  else if (events) tests.push(fragment`(c.kind = 'event_recorded' AND ${isKeyed(events)})`);
  if (contacts) tests.push(sqlOf("c.kind IN ('contact_created', 'contact_updated', 'contact_deleted')"));
  if (checklists) tests.push(sqlOf("c.kind IN ('item_completed', 'checklist_completed')"));
  if (audiences) tests.push(fragment`(c.kind IN ('audience_entered', 'audience_left') AND ${isKeyed(audiences)})`);
  return fragment`(${joined(tests, " OR ")})`;
}

/** Finds the position of change number `count` + 1 of the range, from its start or, with `DESC`, from its end. */
export const findPosition = (searched: LogRange, count: number, order: Order = "ASC"): Statement =>
  query("findPosition")`
  SELECT c.position FROM ${table.changes} c FORCE INDEX (PRIMARY)
  WHERE ${isWithin(searched)} ORDER BY c.position ${sqlOf(`${order} LIMIT 1 OFFSET ${count}`)}`;

/**
 * Finds work, in one snapshot. The first row shows whether changes wait to be logged, whether watches are to begin, and whether
 * there is a subscription. Rows with a body are the readers' subscriptions. The other rows are the kinds of changes after the
 * workspaces' positions, among the first `count` changes in all, in the order of the workspaces.
 */
export function findWork(
  readers: readonly ChangeReader[],
  positions: ReadonlyMap<string, number>,
  count: number,
): Statement {
  const listed = readers.map(({ workspace, key, slotState: state }) => [workspace, key, state === undefined ? 0 : 1]);
  const after = Array.from(positions, ([workspace, position]) => {
    return fragment`c.workspace = ${workspace} AND c.position > ${integer(position)}`;
  });
  const now = sqlOf(milliseconds);
  return query("findWork", { isVariable: true })`
  SELECT NULL AS workspace, NULL AS name, NULL AS body, EXISTS (SELECT 1 FROM ${table.outbox}) AS first_position,
    EXISTS (SELECT 1 FROM ${table.watches} WHERE has_ended = 1 OR ready_at IS NULL) AS last_position, NULL AS kind,
    EXISTS (SELECT 1 FROM ${table.subscriptions}) AS change_count, NULL AS slot_state, NULL AS is_due
  UNION ALL SELECT d.workspace, d.definition_key, d.body, s.first_position, h.position, NULL, NULL,
    IF(named.is_consumer,
      (SELECT ${sqlOf(slotState)} FROM ${table.slots} t FORCE INDEX (PRIMARY) WHERE t.subscription_id = s.id), NULL),
    IF(named.is_consumer, EXISTS (SELECT 1 FROM ${table.waiting} w FORCE INDEX (by_due)
      STRAIGHT_JOIN ${table.slots} t FORCE INDEX (PRIMARY) ON t.subscription_id = w.subscription_id AND t.slot = w.slot
      WHERE w.subscription_id = s.id AND w.due_at <= ${now} AND (t.token IS NULL OR t.leased_until <= ${now})), 0)
  FROM (SELECT workspace, name, MAX(is_consumer) AS is_consumer
    FROM ${named(listed, { workspace: "workspace", name: "key", is_consumer: "number" })} GROUP BY 1, 2) named
  STRAIGHT_JOIN ${table.definitions} d FORCE INDEX (by_key)
    ON d.workspace = named.workspace AND d.kind = CAST('subscription' AS BINARY) AND d.definition_key = named.name
  STRAIGHT_JOIN ${table.subscriptions} s FORCE INDEX (PRIMARY) ON s.id = d.id
  STRAIGHT_JOIN ${table.changeHeads} h FORCE INDEX (PRIMARY) ON h.id = 1
  UNION ALL SELECT c.workspace, c.event_key, NULL, MIN(c.position), MAX(c.position), c.kind, COUNT(*), NULL, NULL
  FROM (SELECT c.workspace, c.position, c.kind, c.event_key FROM ${table.changes} c FORCE INDEX (PRIMARY)
    WHERE ${after.length > 0 ? joined(after, " OR ") : sqlOf("FALSE")}
    ORDER BY c.workspace, c.position ${sqlOf(`LIMIT ${count}`)}) c
  GROUP BY c.workspace, c.kind, c.event_key`;
}

/** Finds the position of the oldest change of each workspace. */
export const findOldest: Statement = query("findOldest")`
  SELECT workspace, MIN(position) AS position FROM ${table.changes} GROUP BY workspace`;

/** Locks the change, so that no pass removes it until the end of the transaction. */
export const lockChange = (workspace: string, position: number): Statement => query("lockChange")`
  SELECT position FROM ${table.changes}
  WHERE workspace = ${workspace} AND position = ${integer(position)} LOCK IN SHARE MODE`;

/** Lists the first changes of the range, without their contents. */
export const listOld = (listed: LogRange, limit: number): Statement => query("listOld")`
  SELECT c.position, c.kind, c.event_key FROM ${table.changes} c FORCE INDEX (PRIMARY)
  WHERE ${isWithin(listed)} ORDER BY c.position LIMIT ${integer(limit)}`;

/** Lists changes of each contact up to a position, without the deletion itself. */
export function listChangesOf(contacts: readonly { contactId: string; to: number }[], limit: number): Statement {
  const listed = contacts.map(({ contactId, to }) => [hexOf(contactId), to]);
  return query("listChangesOf")`
  SELECT c.workspace, c.position FROM ${named(listed, { contact_id: "id", last_position: "number" })}
  STRAIGHT_JOIN ${table.changes} c FORCE INDEX (by_contact)
    ON c.contact_id = named.contact_id AND c.position <= named.last_position
  WHERE c.kind <> 'contact_deleted' LIMIT ${integer(limit)}`;
}

export function deleteChanges(listed: readonly { workspace: string; position: number }[]): Statement {
  const positions = listed.map(({ workspace, position }) => [workspace, position]);
  return query("deleteChanges")`
  DELETE c FROM ${named(positions, { workspace: "workspace", position: "number" })}
  STRAIGHT_JOIN ${table.changes} c FORCE INDEX (PRIMARY)
    ON c.workspace = named.workspace AND c.position = named.position`;
}
