/** Lists of contacts: of all contacts, or of those that a query finds. */
import type { ContactSlice } from "../../../lib/storage/rows.ts";
import { contactColumns } from "./contacts.ts";
import { beyond, inOrder, type Direction } from "./positions.ts";
import type { Fragment, Statement } from "./statement.ts";

/** The columns that a query looks in, all folded, and their indexes. */
const searched = [
  { column: "email", index: "by_email" },
  { column: "folded_external_id", index: "by_folded_external_id" },
  { column: "folded_name", index: "by_folded_name" },
];

/** Reads the contacts in their order, and tests each, until the page is full. */
export const listContacts =
  (workspace: string, { limit, after, order, query }: ContactSlice): Statement =>
  ({ contacts }) => {
    const direction = directionOf(order);
    const position = beyond("c", after, direction);
    const tests = query === "" ? [] : searched.map(({ column }) => beginsWith(`c.${column}`, query));
    const tested = tests.length === 0 ? "" : ` AND (${tests.map(({ sql }) => sql).join(" OR ")})`;
    return {
      name: "listContacts",
      sql: `SELECT ${contactColumns} FROM ${contacts} c FORCE INDEX (by_creation)
WHERE c.workspace = CAST(? AS BINARY)${position.sql}${tested} ${inOrder("c", direction)} LIMIT ?`,
      values: [workspace, ...position.values, ...tests.flatMap(({ values }) => values), String(limit)],
    };
  };

/** Finds the hits of the query in the indexes, and sorts their ids. Reads whole contacts only for one page. */
export const sortFoundContacts =
  (workspace: string, { limit, after, order, query }: ContactSlice): Statement =>
  ({ contacts }) => {
    const direction = directionOf(order);
    const position = beyond("c", after, direction);
    const hits = searched.map((names) => hitsIn(contacts, names, workspace, query, "id"));
    return {
      name: "sortFoundContacts",
      sql: `SELECT ${contactColumns} FROM (SELECT c.id
  FROM (${hits.map(({ sql }) => sql).join("\n    UNION ")}) found
  STRAIGHT_JOIN ${contacts} c FORCE INDEX (PRIMARY) ON c.id = found.id
  WHERE c.workspace = CAST(? AS BINARY)${position.sql} ${inOrder("c", direction)} LIMIT ?) listed
STRAIGHT_JOIN ${contacts} c FORCE INDEX (PRIMARY) ON c.id = listed.id ${inOrder("c", direction)}`,
      values: [...hits.flatMap(({ values }) => values), workspace, ...position.values, String(limit)],
    };
  };

/** Counts the hits of the query. It counts each column separately, up to the limit. */
export const countHits =
  (workspace: string, query: string, limit: number): Statement =>
  ({ contacts }) => {
    const hits = searched.map((names) => hitsIn(contacts, names, workspace, query, "1"));
    return {
      name: "countHits",
      sql: `SELECT ${hits.map(({ sql }) => `(SELECT COUNT(*) FROM (${sql} LIMIT ?) counted)`).join("\n  + ")} AS hits`,
      values: hits.flatMap(({ values }) => [...values, String(limit)]),
    };
  };

/** Counts the contacts from the index alone. */
export const countContacts =
  (workspace: string): Statement =>
  ({ contacts }) => ({
    name: "countContacts",
    sql: `SELECT COUNT(*) AS contacts FROM ${contacts} FORCE INDEX (by_id) WHERE workspace = CAST(? AS BINARY)`,
    values: [workspace],
  });

function directionOf(order: ContactSlice["order"]): Direction {
  return order === "oldest" ? "ASC" : "DESC";
}

function hitsIn(
  contacts: string,
  { column, index }: (typeof searched)[number],
  workspace: string,
  query: string,
  selected: string,
): Fragment {
  const begins = beginsWith(column, query);
  return {
    sql: `SELECT ${selected} FROM ${contacts} FORCE INDEX (${index}) WHERE workspace = CAST(? AS BINARY) AND ${begins.sql}`,
    values: [workspace, ...begins.values],
  };
}

/** The range of the texts that begin with the query. In UTF-8 no byte is 0xff, so the last byte of the query has a successor. */
function beginsWith(column: string, query: string): Fragment {
  const [from, to] = [Buffer.from(query), Buffer.from(query)];
  to[to.length - 1]! += 1;
  return {
    sql: `(${column} >= UNHEX(?) AND ${column} < UNHEX(?))`,
    values: [from.toString("hex"), to.toString("hex")],
  };
}
