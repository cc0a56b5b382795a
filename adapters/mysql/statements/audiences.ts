import type { Condition, Slice } from "../../../lib/storage.ts";
import { hexOf, type Query, type Statement, type Tables } from "../statements.ts";
import { contactColumns } from "./contacts.ts";

/**
 * Where nobody fulfils the condition without an event of certain keys, it is answered from the summaries of these keys, a range of
 * the table each; else from the contacts. Every other summary is looked up for the contact at hand.
 */
export const listMembers =
  (workspace: string, condition: Condition, { limit, after }: Slice): Statement =>
  (tables) => {
    const doers = doersOf(condition);
    const sources = doers
      ? doers.map((source) => selectDoers(tables, workspace, source, after?.id))
      : [selectContacts(tables, workspace, condition, after?.id)];
    const order = "ORDER BY contact_id LIMIT ?";
    const pages = sources.map(({ sql, values }) => ({ sql: `(${sql} ${order})`, values: [...values, String(limit)] }));
    const union = pages.map(({ sql }) => sql).join(" UNION ");
    return {
      sql: `SELECT ${contactColumns}
FROM (${pages.length > 1 ? `${union} ${order}` : union}) members
STRAIGHT_JOIN ${tables.contacts} c FORCE INDEX (PRIMARY) ON c.id = members.contact_id ORDER BY c.id`,
      values: [...pages.flatMap(({ values }) => values), ...(pages.length > 1 ? [String(limit)] : [])],
    };
  };

/** Where one may fulfil the condition having done nothing, those who fulfil its opposite are taken off all. */
export const countMembers =
  (workspace: string, condition: Condition): Statement =>
  (tables) => {
    const doers = doersOf(condition);
    if (doers) return countDoers(tables, workspace, doers);
    const { sql, values } = countDoers(tables, workspace, doersOf({ not: condition })!);
    return {
      sql: `SELECT (SELECT COUNT(*) FROM ${tables.contacts} FORCE INDEX (by_id) WHERE workspace = CAST(? AS BINARY))
- (${sql}) AS members`,
      values: [workspace, ...values],
    };
  };

function countDoers(tables: Tables, workspace: string, doers: readonly Doers[]): Query {
  const sources = doers.map((source) => selectDoers(tables, workspace, source));
  return {
    sql: `SELECT COUNT(*) AS members FROM (${sources.map(({ sql }) => sql).join(" UNION ")}) members`,
    values: sources.flatMap(({ values }) => values),
  };
}

/** Those who did the key and fulfil the condition. */
interface Doers {
  key: string;
  condition: Condition;
}

/**
 * Who together are those who fulfil the condition, by as few keys as can be seen; `null` where one may fulfil it having done
 * nothing. Of a condition and its opposite just one is `null`: the one that is true of who did nothing.
 */
function doersOf(condition: Condition, negated = false): Doers[] | null {
  if ("not" in condition) return doersOf(condition.not, !negated);
  if ("eventKey" in condition) return negated ? null : [{ key: condition.eventKey, condition }];
  const parts = "all" in condition ? condition.all : condition.any;
  const doers = parts.map((part) => doersOf(part, negated));
  // Not any of several is all of their opposites.
  if ("all" in condition === negated) return doers.includes(null) ? null : merged(doers.flatMap((some) => some ?? []));
  const [fewest] = doers.filter((some) => some !== null).sort((a, b) => a.length - b.length);
  const others = parts.filter((_, index) => doers[index] !== fewest);
  const rest = negated ? others.map((part) => ({ not: part })) : others;
  return fewest?.map(({ key, condition }) => ({ key, condition: { all: [condition, ...rest] } })) ?? null;
}

function merged(doers: readonly Doers[]): Doers[] {
  const byKey = new Map<string, Condition[]>();
  for (const { key, condition } of doers) byKey.set(key, [...(byKey.get(key) ?? []), condition]);
  return Array.from(byKey, ([key, parts]) => ({ key, condition: { any: parts } }));
}

function selectDoers(tables: Tables, workspace: string, { key, condition }: Doers, afterId?: string): Query {
  const { test, joins } = testOf(tables, condition, "m.contact_id", key);
  return {
    // In this order, whatever the optimizer makes of it.
    sql: `SELECT STRAIGHT_JOIN m.contact_id FROM ${tables.summaries} m FORCE INDEX (PRIMARY) ${joins.sql}
WHERE m.workspace = CAST(? AS BINARY) AND m.event_key = CAST(? AS BINARY)${afterId ? " AND m.contact_id > UNHEX(?)" : ""}
  AND ${test.sql}`,
    values: [...joins.values, workspace, key, ...(afterId ? [hexOf(afterId)] : []), ...test.values],
  };
}

function selectContacts(tables: Tables, workspace: string, condition: Condition, afterId?: string): Query {
  const { test, joins } = testOf(tables, condition, "m.id", null);
  return {
    sql: `SELECT STRAIGHT_JOIN m.id AS contact_id FROM ${tables.contacts} m FORCE INDEX (by_id) ${joins.sql}
WHERE m.workspace = CAST(? AS BINARY)${afterId ? " AND m.id > UNHEX(?)" : ""} AND ${test.sql}`,
    values: [...joins.values, workspace, ...(afterId ? [hexOf(afterId)] : []), ...test.values],
  };
}

const columns = { count: "event_count", firstAt: "first_at", lastAt: "last_at" };

/** Whether the contact at hand fulfils the condition; `m` is its summary of the key at hand, the others are joined. */
function testOf(
  tables: Tables,
  condition: Condition,
  contactId: string,
  keyAtHand: string | null,
): { test: Query; joins: Query } {
  const aliases = new Map<string, string>(keyAtHand === null ? [] : [[keyAtHand, "m"]]);
  const aliasOf = (key: string): string => aliases.get(key) ?? aliases.set(key, `s${aliases.size}`).get(key)!;
  const toTest = (part: Condition): Query => {
    if ("not" in part) {
      const { sql, values } = toTest(part.not);
      return { sql: `NOT ${sql}`, values };
    }
    if ("eventKey" in part) return leafTest(part, aliasOf(part.eventKey));
    const [parts, operator] = "all" in part ? [part.all, " AND "] : [part.any, " OR "];
    const tests = parts.map(toTest);
    const sql = `(${tests.map((test) => test.sql).join(operator)})`;
    return { sql, values: tests.flatMap(({ values }) => values) };
  };
  const test = toTest(condition);
  const joined = [...aliases].filter(([, alias]) => alias !== "m");
  const joins = joined.map(
    ([, alias]) => `LEFT JOIN ${tables.summaries} ${alias} FORCE INDEX (PRIMARY)
  ON ${alias}.workspace = m.workspace AND ${alias}.event_key = CAST(? AS BINARY) AND ${alias}.contact_id = ${contactId}`,
  );
  return { test, joins: { sql: joins.join("\n"), values: joined.map(([key]) => key) } };
}

function leafTest({ field, from, to }: Extract<Condition, { eventKey: string }>, alias: string): Query {
  const column = `${alias}.${columns[field]}`;
  const bounds = [
    ...(from === null ? [] : [{ sql: `${column} >= ?`, value: from }]),
    ...(to === null ? [] : [{ sql: `${column} < ?`, value: to }]),
  ];
  return {
    // False, not unknown, where there is no summary.
    sql: `COALESCE(${bounds.map(({ sql }) => sql).join(" AND ") || `${column} IS NOT NULL`}, FALSE)`,
    values: bounds.map(({ value }) => value),
  };
}
