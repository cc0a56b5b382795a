/** Lists of contacts: of all contacts, or of those that a query finds. */
import { partOfEmail, wordSeparators } from "../../../lib/decisions/find-contact.ts";
import type { ContactSlice, Position } from "../../../lib/storage/rows.ts";
import { contactColumns } from "./contacts.ts";
import { bytes, fragment, integer, joined, sqlOf, type Fragment } from "./fragments.ts";
import { beyond, inOrder, type Direction } from "./positions.ts";
import { joinedTemplates, query, table, template, type Statement } from "./statement.ts";

/** The columns that a query looks in for beginnings, all folded, and their indexes. */
const searched = [
  { column: "email", index: "by_email" },
  { column: "folded_external_id", index: "by_folded_external_id" },
  { column: "folded_name", index: "by_folded_name" },
];

/**
 * Reads the contacts in their order, up to the last one if it is given. Tests each for the query, until the page is full: for a
 * beginning, or else for a later word.
 */
export function listContacts(
  workspace: string,
  { limit, after, order, query: sought }: ContactSlice,
  last: Position | null,
  byWord: boolean,
): Statement {
  const [direction, back] = [directionOf(order), directionOf(order === "oldest" ? "newest" : "oldest")];
  const tested = sought === "" ? sqlOf("") : fragment` AND ${byWord ? hasWord(sought) : begins(sought)}`;
  return query("listContacts")`
  SELECT ${contactColumns} FROM ${table.contacts} c FORCE INDEX (by_creation)
  WHERE c.workspace = ${workspace}${beyond("c", after, direction)}${beyond("c", last, back, "=")}${tested}
  ${inOrder("c", direction)} LIMIT ${integer(limit)}`;
}

/** Finds the last of the next contacts in the index alone. There is no row if there are fewer. */
export function findLast(workspace: string, { after, order }: Omit<ContactSlice, "query">, count: number): Statement {
  const direction = directionOf(order);
  return query("findLast")`SELECT c.id, c.created_at FROM ${table.contacts} c FORCE INDEX (by_creation)
  WHERE c.workspace = ${workspace}${beyond("c", after, direction)} ${inOrder("c", direction)} LIMIT ${integer(count - 1)}, 1`;
}

function begins(sought: string): Fragment {
  const tests = ["email", "external_id", "name"].map((column) => fragment`${placeOf(sought, column)} = 1`);
  return fragment`(${joined(tests, " OR ")})`;
}

/** Its second test excludes most names, before the many others. */
function hasWord(sought: string): Fragment {
  const words = wordSeparators.map((separator) => fragment`${placeOf(separator + sought, "name")} > 0`);
  const inName = fragment`(${placeOf(sought, "name")} > 0 AND (${joined(words, " OR ")}))`;
  return fragment`(${placeOf(partOfEmail(sought), "email")} > 0 OR ${inName}) AND NOT ${begins(sought)}`;
}

/**
 * The place where the text occurs in the column first; 0 if it does not. The collation takes those bytes for equal that `foldEmail`
 * folds, and no others. It takes less time than the folded columns, which are computed for each row.
 */
function placeOf(text: string, column: string): Fragment {
  return fragment`COALESCE(LOCATE(CONVERT(${text} USING ascii), CONVERT(${sqlOf(`c.${column}`)} USING ascii) COLLATE ascii_general_ci), 0)`;
}

/** Finds the hits of the query in the indexes, and sorts their ids. Reads whole contacts only for one page. */
export function sortFoundContacts(workspace: string, { limit, after, order, query: sought }: ContactSlice): Statement {
  const direction = directionOf(order);
  const hits = searched.map((names) => hitsIn(names, workspace, sought, "id"));
  return query("sortFoundContacts")`
  SELECT ${contactColumns} FROM (SELECT c.id FROM (${joinedTemplates(hits, " UNION ")}) found
    STRAIGHT_JOIN ${table.contacts} c FORCE INDEX (PRIMARY) ON c.id = found.id
    WHERE c.workspace = ${workspace}${beyond("c", after, direction)} ${inOrder("c", direction)} LIMIT ${integer(limit)}) listed
  STRAIGHT_JOIN ${table.contacts} c FORCE INDEX (PRIMARY) ON c.id = listed.id ${inOrder("c", direction)}`;
}

/** Counts the hits of the query. It counts each column separately, up to the limit. */
export function countHits(workspace: string, sought: string, limit: number): Statement {
  const counted = searched.map((names) => {
    return template`(SELECT COUNT(*) FROM (${hitsIn(names, workspace, sought, "1")} LIMIT ${integer(limit)}) counted)`;
  });
  return query("countHits")`SELECT ${joinedTemplates(counted, " + ")} AS hits`;
}

/** Counts the contacts from the index alone. */
export const countContacts = (workspace: string): Statement => query("countContacts")`
  SELECT COUNT(*) AS contacts FROM ${table.contacts} FORCE INDEX (by_id) WHERE workspace = ${workspace}`;

function directionOf(order: ContactSlice["order"]): Direction {
  return order === "oldest" ? "ASC" : "DESC";
}

type Searched = (typeof searched)[number];

const hitsIn = ({ column, index }: Searched, workspace: string, sought: string, selected: "id" | "1") => template`
  SELECT ${sqlOf(selected)} FROM ${table.contacts} FORCE INDEX (${sqlOf(index)})
  WHERE workspace = ${workspace} AND ${beginsWith(column, sought)}`;

/** The range of the texts that begin with the query. In UTF-8 no byte is 0xff, so the last byte of the query has a successor. */
function beginsWith(name: string, sought: string): Fragment {
  const [from, to] = [Buffer.from(sought), Buffer.from(sought)];
  to[to.length - 1]! += 1;
  const column = sqlOf(name);
  return fragment`(${column} >= ${bytes(from.toString("hex"))} AND ${column} < ${bytes(to.toString("hex"))})`;
}
