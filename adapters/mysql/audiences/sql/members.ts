import type { Condition } from "../../../../lib/storage/rows.ts";
import { testOf } from "./conditions.ts";
import type { Candidates } from "../plan.ts";
import {
  contactStatements,
  fragment,
  integer,
  joinedTemplates,
  query,
  sqlOf,
  table,
  template,
  uuid,
  type Fragment,
  type Statement,
  type Template,
} from "../../sql/index.ts";

const { contactColumns } = contactStatements;

/** The contacts after one id, up to and including another. `null` means from the first, or to the last. */
export interface Window {
  after: string | null;
  upTo: string | null;
}

const whole: Window = { after: null, upTo: null };
const isVariable = true;

/** For each item of `candidates`, finds its hundredth contact after an id. No row if it has fewer. `source` is the item's index. */
export function findSelectivities(
  workspace: string,
  candidates: readonly Candidates[],
  after: string | null,
): Statement {
  const sampled = selectEach(workspace, candidates, { after, upTo: null }).map((source, index) => {
    const [number, name] = [sqlOf(String(index)), sqlOf(`sampled${index}`)];
    return template`SELECT ${number} AS source, contact_id FROM (${source} ORDER BY contact_id LIMIT 99, 1) ${name}`;
  });
  return query("findSelectivities", { isVariable })`${joinedTemplates(sampled, "\nUNION ALL ")}`;
}

/**
 * Finds the last of the next `size` contacts after an id, and the last of the next `size` candidates. A result is `null` if
 * fewer are left, or if no candidates are given. One statement reads both, so that no contact is added in between.
 */
export function findEnds(
  workspace: string,
  candidates: Candidates | null,
  after: string | null,
  size: number,
): Statement {
  const window = { after, upTo: null };
  const last = integer(size - 1);
  const candidate = candidates
    ? template`(${selectCandidates(workspace, candidates, window)} ORDER BY contact_id LIMIT ${last}, 1)`
    : sqlOf("NULL");
  return query("findEnds", { isVariable })`
  SELECT (SELECT id FROM ${table.contacts} FORCE INDEX (by_id)
    WHERE workspace = ${workspace}${windowTest("id", window)} ORDER BY id LIMIT ${last}, 1) AS contact,
  ${candidate} AS candidate`;
}

/** Reads one range of the summaries for each event key of the candidates, and looks up every other summary by contact. */
export function listCandidates(
  workspace: string,
  candidates: readonly Candidates[],
  after: string | null,
  limit: number,
): Statement {
  const order = fragment`ORDER BY contact_id LIMIT ${integer(limit)}`;
  const sources = selectEach(workspace, candidates, { after, upTo: null });
  const pages = sources.map((source) => template`(${source} ${order})`);
  const members = template`${joinedTemplates(pages, " UNION ")} ${pages.length === 1 ? sqlOf("") : order}`;
  return query("listCandidates", { isVariable })`${selectContacts(members)}`;
}

/** The contacts of the window that are no candidates. */
export function listOthers(
  workspace: string,
  candidates: readonly Candidates[],
  window: Window,
  limit: number,
): Statement {
  const done = joinedTemplates(selectEach(workspace, candidates, window), " UNION ALL ");
  // DISTINCT makes a table of the candidates, which is faster to look in than the index.
  const members = template`SELECT STRAIGHT_JOIN m.id AS contact_id FROM ${table.contacts} m FORCE INDEX (by_id)
  LEFT JOIN (SELECT DISTINCT contact_id FROM (${done}) done) candidates ON candidates.contact_id = m.id
  WHERE m.workspace = ${workspace}${windowTest("m.id", window)} AND candidates.contact_id IS NULL
  ORDER BY m.id LIMIT ${integer(limit)}`;
  return query("listOthers", { isVariable })`${selectContacts(members)}`;
}

const selectContacts = (members: Template): Template => template`SELECT ${contactColumns} FROM (${members}) members
  STRAIGHT_JOIN ${table.contacts} c FORCE INDEX (PRIMARY) ON c.id = members.contact_id ORDER BY c.id`;

const count = (workspace: string, candidates: readonly Candidates[]): Template =>
  template`SELECT COUNT(*) AS members FROM (${joinedTemplates(selectEach(workspace, candidates, whole), " UNION ")}) members`;

export const countCandidates = (workspace: string, candidates: readonly Candidates[]): Statement =>
  query("countCandidates", { isVariable })`${count(workspace, candidates)}`;

/** Counts the contacts that are no candidates. */
export const countOthers = (workspace: string, candidates: readonly Candidates[]): Statement =>
  query("countOthers", { isVariable })`
  SELECT (SELECT COUNT(*) FROM ${table.contacts} FORCE INDEX (by_id) WHERE workspace = ${workspace})
  - (${count(workspace, candidates)}) AS members`;

/** Lists the contacts after an id that fulfil the condition. Reads the index in order of id, which `countTested` need not do. */
export const listTested = (
  workspace: string,
  condition: Condition,
  after: string | null,
  limit: number,
): Statement => query("listTested", { isVariable })`
  ${selectTested(workspace, condition, inOrderOfId, contactColumns, { after, upTo: null })}
  ORDER BY c.id LIMIT ${integer(limit)}`;

export const countTested = (workspace: string, condition: Condition): Statement =>
  query("countTested", { isVariable })`
  ${selectTested(workspace, condition, template`${table.contacts} c`, sqlOf("COUNT(*) AS members"), whole)}`;

const inOrderOfId = template`${table.contacts} c FORCE INDEX (by_id)`;

/** Lists the ids of the members in the window, in any order. Tests each contact if `candidates` is `null`. */
export function listMemberIds(
  workspace: string,
  condition: Condition,
  candidates: readonly Candidates[] | null,
  window: Window,
): Statement {
  const sources = candidates
    ? selectEach(workspace, candidates, window)
    : [selectTested(workspace, condition, inOrderOfId, sqlOf("c.id AS contact_id"), window)];
  return query("listMemberIds", { isVariable })`${joinedTemplates(sources, " UNION ")}`;
}

/** Lists the ids of the next contacts, in order. */
export const listIds = (workspace: string, after: string | null, limit: number): Statement => query("listIds")`
  SELECT c.id FROM ${inOrderOfId}
  WHERE c.workspace = ${workspace}${windowTest("c.id", { after, upTo: null })} ORDER BY c.id LIMIT ${integer(limit)}`;

function selectTested(
  workspace: string,
  condition: Condition,
  contacts: Template,
  selected: Fragment,
  window: Window,
): Template {
  return (tables) => {
    const { test, joins } = testOf(tables, workspace, condition, null);
    return template`SELECT STRAIGHT_JOIN ${selected} FROM ${contacts} ${joins}
  WHERE c.workspace = ${workspace}${windowTest("c.id", window)} AND ${test}`(tables);
  };
}

function selectEach(workspace: string, candidates: readonly Candidates[], window: Window): Template[] {
  return candidates.map((source) => selectCandidates(workspace, source, window));
}

/** STRAIGHT_JOIN fixes the order of the tables. */
function selectCandidates(workspace: string, { key, condition }: Candidates, window: Window): Template {
  return (tables) => {
    const { test, joins } = testOf(tables, workspace, condition, key);
    return template`SELECT STRAIGHT_JOIN m.contact_id FROM ${table.summaries} m FORCE INDEX (PRIMARY) ${joins}
  WHERE m.workspace = ${workspace} AND m.event_key = ${key}${windowTest("m.contact_id", window)} AND ${test}`(tables);
  };
}

function windowTest(name: string, { after, upTo }: Window): Fragment {
  const column = sqlOf(name);
  const start = after === null ? sqlOf("") : fragment` AND ${column} > ${uuid(after)}`;
  return upTo === null ? start : fragment`${start} AND ${column} <= ${uuid(upTo)}`;
}
