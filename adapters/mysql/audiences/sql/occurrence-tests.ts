import type { OccurrenceTest } from "../../../../lib/storage/rows.ts";
import {
  fragment,
  hexOf,
  integer,
  joined,
  named,
  query,
  sqlOf,
  table,
  uuid,
  type Fragment,
  type Statement,
  type Tables,
} from "../../sql/index.ts";
import { memberTest, type Json } from "./member-tests.ts";
import { anyOf } from "./value-tests.ts";

/**
 * True if the contact has at least `count` events that the test counts. `alias` is its summary, which was tested already. Reads
 * events only if the summary cannot decide, and stops at `count`.
 */
export function occurrenceTest(
  tables: Tables,
  workspace: string,
  test: OccurrenceTest,
  summary: { alias: string; contactId: string },
): Fragment {
  const [alias, contactId] = [sqlOf(summary.alias), sqlOf(summary.contactId)];
  const read = (also: Fragment): Fragment => lastNeeded(tables, test, contactId, also);
  const isFound = fragment`${read(sqlOf(""))} IS NOT NULL`;
  if (test.where.length === 0) return anyOf(summarySuffices(tables, workspace, test, alias), isFound);
  if (test.count > 1) return isFound;
  // If all events of the key have one time, the index finds them by that time. Otherwise it reads the contact's other events too.
  const atOnce = read(fragment` AND e.created_at = ${alias}.last_at`);
  return fragment`IF(${alias}.first_at = ${alias}.last_at, ${atOnce}, ${read(sqlOf(""))}) IS NOT NULL`;
}

/** Tests whether the summary alone proves enough events in the span that were not pruned. */
function summarySuffices(
  { workspaces }: Tables,
  workspace: string,
  { count, from, to }: OccurrenceTest,
  alias: Fragment,
): Fragment {
  // The same statement reads this time, so the events after it are still there.
  const keptSince = fragment`COALESCE((SELECT pruned_before FROM ${sqlOf(workspaces)}
  WHERE workspace = ${workspace}), ${Number.MIN_SAFE_INTEGER})`;
  if (count === 1 && to === null) return fragment`${alias}.last_at >= ${keptSince}`;
  const isBefore = to === null ? sqlOf("") : fragment` AND ${alias}.last_at < ${to}`;
  return fragment`(${alias}.first_at >= ${from}${isBefore} AND ${alias}.first_at >= ${keptSince})`;
}

/** Reads 1 if there are at least `count` events; NULL otherwise. */
function lastNeeded(tables: Tables, test: OccurrenceTest, contactId: Fragment, also: Fragment): Fragment {
  return fragment`(SELECT 1 ${eventsOf(tables, test, contactId)}${also} LIMIT ${integer(test.count - 1)}, 1)`;
}

/** Counts the events of each contact that the test counts, no further than its `count`. */
export const countOccurrences =
  (test: OccurrenceTest, contactIds: readonly string[]): Statement =>
  (tables) => {
    const contactId = sqlOf("named.contact_id");
    const enough = fragment`${lastNeeded(tables, test, contactId, sqlOf(""))} IS NOT NULL`;
    const counted =
      test.count === 1
        ? enough
        : fragment`IF(${enough}, ${test.count}, (SELECT COUNT(*) ${eventsOf(tables, test, contactId)}))`;
    return query("countOccurrences", { isVariable: true })`
    SELECT named.contact_id, ${counted} AS event_count FROM ${named(contactIds.map(hexOf), { contact_id: "id" })}`(
      tables,
    );
  };

/** The summary of a contact's events that the test counts. */
export const summarizeEvents = (workspace: string, contactId: string, test: OccurrenceTest): Statement =>
  query("summarizeEvents", { isVariable: true })`
  SELECT COUNT(*) AS event_count, MIN(e.created_at) AS first_at, MAX(e.created_at) AS last_at
  ${(tables) => eventsOf(tables, test, uuid(contactId))}
    AND EXISTS (SELECT 1 FROM ${table.contacts} c WHERE c.id = ${uuid(contactId)} AND c.workspace = ${workspace})`;

function eventsOf(tables: Tables, { eventKey, from, to, where }: OccurrenceTest, contactId: Fragment): Fragment {
  const isBefore = to === null ? sqlOf("") : fragment` AND e.created_at < ${to}`;
  const tests = where.map((test) =>
    "not" in test
      ? fragment` AND NOT ${memberTest(properties, test.not.property, test.not)}`
      : fragment` AND ${memberTest(properties, test.property, test)}`,
  );
  return fragment`FROM ${sqlOf(tables.events)} e FORCE INDEX (by_contact)
  WHERE e.contact_id = ${contactId} AND e.created_at >= ${from}${isBefore} AND e.event_key = ${eventKey}${joined(tests, "")}`;
}

/**
 * A comma replaces the first brace of the text, so every name follows a comma. JSON escapes a quotation mark inside a text. One
 * that ends a text is before a comma, a colon or a brace. So `,"name":` occurs only before the value of that property.
 */
const properties: Json = {
  column: sqlOf("e.properties"),
  text: sqlOf("INSERT(/*!50700 CAST(*/ e.properties /*!50700 AS BINARY)*/, 1, 1, ',')"),
  start: ",",
};
