import type { Condition } from "../../../lib/storage/rows.ts";
import type { Doers } from "./plan.ts";
import { hexOf, type Fragment, type Statement, type Tables } from "../sql/statement.ts";
import { contactColumns } from "../sql/contacts.ts";

/** The contacts after an id, up to another one; `null`: from the first, to the last. */
export interface Window {
  after: string | null;
  upTo: string | null;
}

/** The contact that the first hundred of each of the doers after an id end with, by their index; no row where fewer do. */
export const findReaches =
  (workspace: string, doers: readonly Doers[], after: string | null): Statement =>
  (tables) => {
    const sources = doers.map((source) => selectDoers(tables, workspace, source, { after, upTo: null }));
    const reached = sources.map(
      ({ sql }, index) =>
        `SELECT ${index} AS source, contact_id FROM (${sql} ORDER BY contact_id LIMIT 99, 1) reached${index}`,
    );
    return {
      name: "findReaches",
      isVariable: true,
      sql: reached.join("\nUNION ALL "),
      values: sources.flatMap(({ values }) => values),
    };
  };

/**
 * The last of the first so many contacts after an id, and of the first so many of the doers; `null` where fewer are left, and for
 * no doers. Of one moment, so that nobody comes in between.
 */
export const findEnds =
  (workspace: string, doers: Doers | null, after: string | null, size: number): Statement =>
  (tables) => {
    const window = { after, upTo: null };
    const contacts = windowTest("id", window);
    const source = doers && selectDoers(tables, workspace, doers, window);
    const last = String(size - 1);
    return {
      name: "findEnds",
      isVariable: true,
      sql: `SELECT (SELECT id FROM ${tables.contacts} FORCE INDEX (by_id)
  WHERE workspace = CAST(? AS BINARY)${contacts.sql} ORDER BY id LIMIT ?, 1) AS contact,
${source ? `(${source.sql} ORDER BY contact_id LIMIT ?, 1)` : "NULL"} AS doer`,
      values: [workspace, ...contacts.values, last, ...(source ? [...source.values, last] : [])],
    };
  };

/** From the summaries of the doers' keys, a range of the table each; every other summary is looked up for the contact at hand. */
export const listDoers =
  (workspace: string, doers: readonly Doers[], after: string | null, limit: number): Statement =>
  (tables) => {
    const sources = doers.map((source) => selectDoers(tables, workspace, source, { after, upTo: null }));
    const order = "ORDER BY contact_id LIMIT ?";
    const pages = sources.map(({ sql, values }) => ({ sql: `(${sql} ${order})`, values: [...values, String(limit)] }));
    const union = pages.map(({ sql }) => sql).join(" UNION ");
    const isOne = pages.length === 1;
    return {
      name: "listDoers",
      isVariable: true,
      sql: selectContacts(tables, isOne ? union : `${union} ${order}`),
      values: [...pages.flatMap(({ values }) => values), ...(isOne ? [] : [String(limit)])],
    };
  };

/** Those of the window who are none of the doers. */
export const listOthers =
  (workspace: string, doers: readonly Doers[], window: Window, limit: number): Statement =>
  (tables) => {
    const sources = doers.map((source) => selectDoers(tables, workspace, source, window));
    const within = windowTest("m.id", window);
    return {
      name: "listOthers",
      isVariable: true,
      // DISTINCT makes a table of the doers, which is faster to look in than the index.
      sql: selectContacts(
        tables,
        `SELECT STRAIGHT_JOIN m.id AS contact_id FROM ${tables.contacts} m FORCE INDEX (by_id)
LEFT JOIN (SELECT DISTINCT contact_id FROM (${sources.map(({ sql }) => sql).join(" UNION ALL ")}) done) doers
  ON doers.contact_id = m.id
WHERE m.workspace = CAST(? AS BINARY)${within.sql} AND doers.contact_id IS NULL ORDER BY m.id LIMIT ?`,
      ),
      values: [...sources.flatMap(({ values }) => values), workspace, ...within.values, String(limit)],
    };
  };

const selectContacts = (tables: Tables, members: string): string => `SELECT ${contactColumns}
FROM (${members}) members
STRAIGHT_JOIN ${tables.contacts} c FORCE INDEX (PRIMARY) ON c.id = members.contact_id ORDER BY c.id`;

export const countDoers =
  (workspace: string, doers: readonly Doers[]): Statement =>
  (tables) => {
    const sources = doers.map((source) => selectDoers(tables, workspace, source, { after: null, upTo: null }));
    return {
      name: "countDoers",
      isVariable: true,
      sql: `SELECT COUNT(*) AS members FROM (${sources.map(({ sql }) => sql).join(" UNION ")}) members`,
      values: sources.flatMap(({ values }) => values),
    };
  };

/** Those who are none of the doers. */
export const countOthers =
  (workspace: string, doers: readonly Doers[]): Statement =>
  (tables) => {
    const { sql, values } = countDoers(workspace, doers)(tables);
    return {
      name: "countOthers",
      isVariable: true,
      sql: `SELECT (SELECT COUNT(*) FROM ${tables.contacts} FORCE INDEX (by_id) WHERE workspace = CAST(? AS BINARY))
- (${sql}) AS members`,
      values: [workspace, ...values],
    };
  };

function selectDoers(tables: Tables, workspace: string, { key, condition }: Doers, window: Window): Fragment {
  const { test, joins } = testOf(tables, workspace, condition, key);
  const within = windowTest("m.contact_id", window);
  return {
    // In this order, whatever the optimizer makes of it.
    sql: `SELECT STRAIGHT_JOIN m.contact_id FROM ${tables.summaries} m FORCE INDEX (PRIMARY) ${joins.sql}
WHERE m.workspace = CAST(? AS BINARY) AND m.event_key = CAST(? AS BINARY)${within.sql} AND ${test.sql}`,
    values: [...joins.values, workspace, key, ...within.values, ...test.values],
  };
}

function windowTest(column: string, { after, upTo }: Window): Fragment {
  const ends = [
    ...(after === null ? [] : [{ sql: ` AND ${column} > UNHEX(?)`, id: after }]),
    ...(upTo === null ? [] : [{ sql: ` AND ${column} <= UNHEX(?)`, id: upTo }]),
  ];
  return { sql: ends.map(({ sql }) => sql).join(""), values: ends.map(({ id }) => hexOf(id)) };
}

const columns = { count: "event_count", firstAt: "first_at", lastAt: "last_at" };

/** Whether the contact at hand fulfils the condition; `m` is its summary of the key at hand, the others are joined. */
function testOf(
  tables: Tables,
  workspace: string,
  condition: Condition,
  keyAtHand: string,
): { test: Fragment; joins: Fragment } {
  const aliases = new Map([[keyAtHand, "m"]]);
  const aliasOf = (key: string): string => aliases.get(key) ?? aliases.set(key, `s${aliases.size}`).get(key)!;
  const toTest = (part: Condition): Fragment => {
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
  ON ${alias}.workspace = CAST(? AS BINARY) AND ${alias}.event_key = CAST(? AS BINARY) AND ${alias}.contact_id = m.contact_id`,
  );
  return { test, joins: { sql: joins.join("\n"), values: joined.flatMap(([key]) => [workspace, key]) } };
}

function leafTest({ field, from, to }: Extract<Condition, { eventKey: string }>, alias: string): Fragment {
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
