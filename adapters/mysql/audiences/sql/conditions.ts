import type { CompletionTest, Condition, EventTest } from "../../../../lib/storage/rows.ts";
import { fragment, joined, plain, sqlOf, uuid, type Fragment, type Tables } from "../../sql/index.ts";
import { boundsOf } from "../plan.ts";
import { contactTest } from "./contact-tests.ts";
import { occurrenceTest } from "./occurrence-tests.ts";
import { allOf, anyOf, withinBounds } from "./value-tests.ts";

/**
 * Returns the test of whether the current row's contact fulfils the condition, and the joins for it. A test is TRUE or FALSE,
 * never NULL, so that NOT inverts it. `keyAtHand` is the event key whose summaries the statement reads as `m`; with `null` it
 * reads the contacts as `c`.
 */
export function testOf(
  tables: Tables,
  workspace: string,
  condition: Condition,
  keyAtHand: string | null,
): { test: Fragment; joins: Fragment } {
  const aliases = new Map(keyAtHand === null ? [] : [[keyAtHand, "m"]]);
  const contactId = keyAtHand === null ? "c.id" : "m.contact_id";
  const aliasOf = (key: string): string => {
    const alias = aliases.get(key) ?? `s${aliases.size}`;
    aliases.set(key, alias);
    return alias;
  };
  let readsContact = false;
  const toTest = (part: Condition): Fragment => {
    if ("not" in part) return fragment`NOT ${toTest(part.not)}`;
    if ("where" in part) {
      // The summary excludes most contacts before their events are read.
      const summary = { alias: aliasOf(part.eventKey), contactId };
      return allOf(toTest(boundsOf(part)), occurrenceTest(tables, workspace, part, summary));
    }
    if ("eventKey" in part) return eventTest(part, aliasOf(part.eventKey));
    if ("checklistId" in part) return completionTest(tables, workspace, part, contactId);
    if ("operator" in part) {
      readsContact = true;
      return contactTest(part);
    }
    return "all" in part ? allOf(...part.all.map(toTest)) : anyOf(...part.any.map(toTest));
  };
  const test = toTest(condition);
  const joins = [...aliases]
    .filter(([, alias]) => alias !== "m")
    .map(([key, name]) => {
      const alias = sqlOf(name);
      return fragment`LEFT JOIN ${sqlOf(tables.summaries)} ${alias} FORCE INDEX (PRIMARY)
  ON ${alias}.workspace = ${workspace} AND ${alias}.event_key = ${key} AND ${alias}.contact_id = ${sqlOf(contactId)}`;
    });
  if (readsContact && keyAtHand !== null)
    joins.unshift(sqlOf(`JOIN ${tables.contacts} c FORCE INDEX (PRIMARY) ON c.id = m.contact_id`));
  return { test, joins: joined(joins, "\n") };
}

const columns = { count: "event_count", firstAt: "first_at", lastAt: "last_at" };

function eventTest({ field, from, to }: EventTest, alias: string): Fragment {
  const column = sqlOf(`${alias}.${columns[field]}`);
  // FALSE instead of NULL if there is no summary.
  return fragment`COALESCE(${withinBounds(column, from, to)}, FALSE)`;
}

/**
 * Tests that no item is missing. The test is a subquery, because a statement joins at most 61 tables. LIMIT keeps the optimizer
 * from turning it into a join. DISTINCT lets the server build the table of items once, instead of once per contact.
 */
function completionTest(
  tables: Tables,
  workspace: string,
  { checklistId, itemKeys, counts, within }: CompletionTest,
  contactId: string,
): Fragment {
  const items = [
    ...counts.flatMap((list, index) => list.map(({ eventKey, count }) => [eventKey, count, "", index])),
    ...itemKeys.map((itemKey, index) => ["", 0, itemKey, counts.length + index]),
  ];
  const contact = sqlOf(contactId);
  const isMissing = "COALESCE(done.event_count < item.n, by_hand.item_key IS NULL)";
  const inTime = within
    ? fragment` AND ${withinBounds(sqlOf("by_hand.completed_at"), within.from, within.to)}`
    : sqlOf("");
  const hasChoice = counts.some(({ length }) => length > 1);
  return fragment`((SELECT 1 FROM (SELECT DISTINCT CAST(e AS BINARY) AS event_key, n, CAST(h AS BINARY) AS item_key, i
    FROM JSON_TABLE(${plain(JSON.stringify(items))}, '$[*]' COLUMNS (e VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[0]', n BIGINT PATH '$[1]',
      h VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[2]', i INT PATH '$[3]')) listed) item
  LEFT JOIN ${sqlOf(tables.summaries)} done FORCE INDEX (PRIMARY)
    ON done.workspace = ${workspace} AND done.event_key = item.event_key AND done.contact_id = ${contact}
  LEFT JOIN ${sqlOf(tables.completions)} by_hand FORCE INDEX (PRIMARY)
    ON by_hand.contact_id = ${contact} AND by_hand.checklist_id = ${uuid(checklistId)} AND by_hand.item_key = item.item_key${inTime}
  ${sqlOf(hasChoice ? `GROUP BY item.i HAVING MIN(${isMissing})` : `WHERE ${isMissing}`)} LIMIT 1) IS NULL)`;
}
