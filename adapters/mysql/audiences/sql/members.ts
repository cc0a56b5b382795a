import type { Condition } from "../../../../lib/storage/rows.ts";
import { testOf } from "./conditions.ts";
import type { Candidates } from "../plan.ts";
import { hexOf, joined, contactStatements, type Fragment, type Statement, type Tables } from "../../sql/index.ts";

/** The contacts after one id, up to and including another. `null` means from the first, or to the last. */
export interface Window {
  after: string | null;
  upTo: string | null;
}

const whole: Window = { after: null, upTo: null };

/** For each item of `candidates`, finds its hundredth contact after an id. No row if it has fewer. `source` is the item's index. */
export const findSelectivities =
  (workspace: string, candidates: readonly Candidates[], after: string | null): Statement =>
  (tables) => {
    const sources = selectEach(tables, workspace, candidates, { after, upTo: null });
    const sampled = sources.map(({ sql, values }, index) => ({
      sql: `SELECT ${index} AS source, contact_id FROM (${sql} ORDER BY contact_id LIMIT 99, 1) sampled${index}`,
      values,
    }));
    return { name: "findSelectivities", isVariable: true, ...joined(sampled, "\nUNION ALL ") };
  };

/**
 * Finds the last of the next `size` contacts after an id, and the last of the next `size` candidates. A result is `null` if
 * fewer are left, or if no candidates are given. One statement reads both, so that no contact is added in between.
 */
export const findEnds =
  (workspace: string, candidates: Candidates | null, after: string | null, size: number): Statement =>
  (tables) => {
    const window = { after, upTo: null };
    const contacts = windowTest("id", window);
    const source = candidates && selectCandidates(tables, workspace, candidates, window);
    const last = String(size - 1);
    return {
      name: "findEnds",
      isVariable: true,
      sql: `SELECT (SELECT id FROM ${tables.contacts} FORCE INDEX (by_id)
  WHERE workspace = CAST(? AS BINARY)${contacts.sql} ORDER BY id LIMIT ?, 1) AS contact,
${source ? `(${source.sql} ORDER BY contact_id LIMIT ?, 1)` : "NULL"} AS candidate`,
      values: [workspace, ...contacts.values, last, ...(source ? [...source.values, last] : [])],
    };
  };

/** Reads one range of the summaries for each event key of the candidates, and looks up every other summary by contact. */
export const listCandidates =
  (workspace: string, candidates: readonly Candidates[], after: string | null, limit: number): Statement =>
  (tables) => {
    const sources = selectEach(tables, workspace, candidates, { after, upTo: null });
    const order = "ORDER BY contact_id LIMIT ?";
    const pages = sources.map(({ sql, values }) => ({ sql: `(${sql} ${order})`, values: [...values, String(limit)] }));
    const { sql: union, values } = joined(pages, " UNION ");
    const isOne = pages.length === 1;
    return {
      name: "listCandidates",
      isVariable: true,
      sql: selectContacts(tables, isOne ? union : `${union} ${order}`),
      values: isOne ? values : [...values, String(limit)],
    };
  };

/** The contacts of the window that are no candidates. */
export const listOthers =
  (workspace: string, candidates: readonly Candidates[], window: Window, limit: number): Statement =>
  (tables) => {
    const { sql, values } = joined(selectEach(tables, workspace, candidates, window), " UNION ALL ");
    const within = windowTest("m.id", window);
    return {
      name: "listOthers",
      isVariable: true,
      // DISTINCT makes a table of the candidates, which is faster to look in than the index.
      sql: selectContacts(
        tables,
        `SELECT STRAIGHT_JOIN m.id AS contact_id FROM ${tables.contacts} m FORCE INDEX (by_id)
LEFT JOIN (SELECT DISTINCT contact_id FROM (${sql}) done) candidates
  ON candidates.contact_id = m.id
WHERE m.workspace = CAST(? AS BINARY)${within.sql} AND candidates.contact_id IS NULL ORDER BY m.id LIMIT ?`,
      ),
      values: [...values, workspace, ...within.values, String(limit)],
    };
  };

const selectContacts = (tables: Tables, members: string): string => `SELECT ${contactStatements.contactColumns}
FROM (${members}) members
STRAIGHT_JOIN ${tables.contacts} c FORCE INDEX (PRIMARY) ON c.id = members.contact_id ORDER BY c.id`;

export const countCandidates =
  (workspace: string, candidates: readonly Candidates[]): Statement =>
  (tables) => {
    const { sql, values } = joined(selectEach(tables, workspace, candidates, whole), " UNION ");
    return {
      name: "countCandidates",
      isVariable: true,
      sql: `SELECT COUNT(*) AS members FROM (${sql}) members`,
      values,
    };
  };

/** Counts the contacts that are no candidates. */
export const countOthers =
  (workspace: string, candidates: readonly Candidates[]): Statement =>
  (tables) => {
    const { sql, values } = countCandidates(workspace, candidates)(tables);
    return {
      name: "countOthers",
      isVariable: true,
      sql: `SELECT (SELECT COUNT(*) FROM ${tables.contacts} FORCE INDEX (by_id) WHERE workspace = CAST(? AS BINARY))
- (${sql}) AS members`,
      values: [workspace, ...values],
    };
  };

/** Lists the contacts after an id that fulfil the condition. Reads the index in order of id, which `countTested` need not do. */
export const listTested =
  (workspace: string, condition: Condition, after: string | null, limit: number): Statement =>
  (tables) => {
    const contacts = `${tables.contacts} c FORCE INDEX (by_id)`;
    const { sql, values } = selectTested(tables, workspace, condition, contacts, contactStatements.contactColumns, {
      after,
      upTo: null,
    });
    return {
      name: "listTested",
      isVariable: true,
      sql: `${sql} ORDER BY c.id LIMIT ?`,
      values: [...values, String(limit)],
    };
  };

export const countTested =
  (workspace: string, condition: Condition): Statement =>
  (tables) => ({
    name: "countTested",
    isVariable: true,
    ...selectTested(tables, workspace, condition, `${tables.contacts} c`, "COUNT(*) AS members", whole),
  });

/** Lists the ids of the members in the window, in any order. Tests each contact if `candidates` is `null`. */
export const listMemberIds =
  (workspace: string, condition: Condition, candidates: readonly Candidates[] | null, window: Window): Statement =>
  (tables) => {
    const contacts = `${tables.contacts} c FORCE INDEX (by_id)`;
    const sources = candidates
      ? selectEach(tables, workspace, candidates, window)
      : [selectTested(tables, workspace, condition, contacts, "c.id AS contact_id", window)];
    return { name: "listMemberIds", isVariable: true, ...joined(sources, " UNION ") };
  };

/** Lists the ids of the next contacts, in order. */
export const listIds =
  (workspace: string, after: string | null, limit: number): Statement =>
  ({ contacts }) => {
    const within = windowTest("c.id", { after, upTo: null });
    return {
      name: "listIds",
      sql: `SELECT c.id FROM ${contacts} c FORCE INDEX (by_id)
WHERE c.workspace = CAST(? AS BINARY)${within.sql} ORDER BY c.id LIMIT ?`,
      values: [workspace, ...within.values, String(limit)],
    };
  };

function selectTested(
  tables: Tables,
  workspace: string,
  condition: Condition,
  contacts: string,
  selected: string,
  window: Window,
): Fragment {
  const { test, joins } = testOf(tables, workspace, condition, { keyAtHand: null });
  const within = windowTest("c.id", window);
  return {
    sql: `SELECT STRAIGHT_JOIN ${selected} FROM ${contacts} ${joins.sql}
WHERE c.workspace = CAST(? AS BINARY)${within.sql} AND ${test.sql}`,
    values: [...joins.values, workspace, ...within.values, ...test.values],
  };
}

function selectEach(tables: Tables, workspace: string, candidates: readonly Candidates[], window: Window): Fragment[] {
  return candidates.map((source) => selectCandidates(tables, workspace, source, window));
}

function selectCandidates(tables: Tables, workspace: string, { key, condition }: Candidates, window: Window): Fragment {
  const { test, joins } = testOf(tables, workspace, condition, { keyAtHand: key });
  const within = windowTest("m.contact_id", window);
  return {
    // STRAIGHT_JOIN fixes the order of the tables.
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
