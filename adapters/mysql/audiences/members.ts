import type { Condition } from "../../../lib/storage/rows.ts";
import { choicesOf, doersOf, type Doers, type Reaches } from "./plan.ts";
import { id, idOrNull, type Row } from "../sql/rows.ts";
import * as sql from "./sql.ts";
import type { Work } from "../transactions/own.ts";

/** Where a page of members begins, and how many it may have. */
interface MembersPage {
  after: string | null;
  limit: number;
}

/** The rows of those whom the condition is true of, in order of id. */
export async function listMembers(
  work: Work,
  workspace: string,
  condition: Condition,
  page: MembersPage,
): Promise<Row[]> {
  const { doers, isOthers } = await chooseDoers(work, workspace, condition, page.after);
  if (isOthers) return listOthers(work, workspace, doers, page);
  return work.rows(sql.listDoers(workspace, doers, page.after, page.limit));
}

export async function countMembers(work: Work, workspace: string, condition: Condition): Promise<number> {
  const { doers, isOthers } = await chooseDoers(work, workspace, condition, null);
  const [row] = await work.rows(isOthers ? sql.countOthers(workspace, doers) : sql.countDoers(workspace, doers));
  return Number(row!.members);
}

/** The members are the doers or, where one may be a member having done nothing, all others. */
async function chooseDoers(
  work: Work,
  workspace: string,
  condition: Condition,
  after: string | null,
): Promise<{ doers: Doers[]; isOthers: boolean }> {
  const isOthers = doersOf(condition, new Map()) === null;
  const asked = isOthers ? { not: condition } : condition;
  const choices = choicesOf(asked);
  const sources = choices.map((part) => ({ key: part.eventKey, condition: part }));
  const found = await findReaches(work, workspace, sources, after);
  const reaches: Reaches = new Map(choices.map((part, index) => [part, found[index]!]));
  return { doers: doersOf(asked, reaches)!, isOthers };
}

async function findReaches(
  work: Work,
  workspace: string,
  doers: readonly Doers[],
  after: string | null,
): Promise<string[]> {
  // One alone is compared with none.
  const rows = doers.length > 1 ? await work.rows(sql.findReaches(workspace, doers, after)) : [];
  const reached = new Map(rows.map((row) => [Number(row.source), id(row.contact_id)]));
  return doers.map((_, index) => reached.get(index) ?? beyondEveryId);
}

const beyondEveryId = "~";

// A window costs a statement or two, and one in which somebody remains the look at all of its contacts.
const windowSize = 4_096;

/**
 * Those who are none of the doers, by windows of contacts. Where members are fewer than one a window, a window that has none is
 * seen by its end: it ends with the same contact as just as many doers of the most frequent kind.
 */
async function listOthers(
  work: Work,
  workspace: string,
  doers: readonly Doers[],
  { after, limit }: MembersPage,
): Promise<Row[]> {
  const reaches = await findReaches(work, workspace, doers, after);
  const frequent = doers[reaches.indexOf(reaches.toSorted()[0]!)]!;
  const found: Row[] = [];
  for (let windows = 0, start = after; ; windows++) {
    const compared = found.length < windows ? frequent : null;
    const [ends] = await work.rows(sql.findEnds(workspace, compared, start, windowSize));
    const [contact, doer] = [idOrNull(ends!.contact), idOrNull(ends!.doer)];
    if (contact === null || contact !== doer) {
      const window = { after: start, upTo: contact };
      found.push(...(await work.rows(sql.listOthers(workspace, doers, window, limit - found.length))));
    }
    if (contact === null || found.length === limit) return found;
    start = contact;
  }
}
