import type { Condition, ContactRow, PageRows, Slice } from "../../../lib/storage/rows.ts";
import { createPageReader, readPage } from "../pages.ts";
import { boundsOf, choicesOf, candidatesOf, type Candidates, type Selectivities } from "./plan.ts";
import { id, idOrNull, toContact } from "../sql/index.ts";
import * as sql from "./sql/index.ts";
import { readNumber, type Work } from "../transactions/index.ts";

/** Lists the contacts that meet the condition, in order of id. */
export async function listMembers(
  work: Work,
  workspace: string,
  condition: Condition,
  slice: Slice,
): Promise<PageRows<ContactRow>> {
  const start = slice.after?.id ?? null;
  const { members, candidates } = await choosePlan(work, workspace, condition, start);
  if (members === "others") return listOthers(work, workspace, candidates, slice);
  return readPage(work, slice, toContact, (last, limit) => {
    const after = last?.id ?? start;
    return members === "candidates"
      ? sql.listCandidates(workspace, candidates, after, limit)
      : sql.listTested(workspace, condition, after, limit);
  });
}

export async function countMembers(work: Work, workspace: string, condition: Condition): Promise<number> {
  const { members, candidates } = await choosePlan(work, workspace, condition, null);
  const counts = {
    candidates: () => sql.countCandidates(workspace, candidates),
    others: () => sql.countOthers(workspace, candidates),
    tested: () => sql.countTested(workspace, condition),
  };
  return readNumber(work, counts[members](), "members");
}

/**
 * How the members are found. `candidates`: only events make a contact a member. `others`: contacts without events are members,
 * so the members are all contacts except the candidates. `tested`: contacts' own data can make them members, so each contact is
 * tested.
 */
interface Plan {
  members: "candidates" | "others" | "tested";
  candidates: Candidates[];
}

async function choosePlan(work: Work, workspace: string, condition: Condition, after: string | null): Promise<Plan> {
  const opposite = { not: condition };
  const isOthers = candidatesOf(condition, new Map()) === null;
  if (isOthers && candidatesOf(opposite, new Map()) === null) return { members: "tested", candidates: [] };
  const asked = isOthers ? opposite : condition;
  const choices = choicesOf(asked);
  // Compares the parts by their summaries alone. Reading events takes longer, and hardly changes the choice.
  const sources = choices.map((part) => ({ key: part.eventKey, condition: "where" in part ? boundsOf(part) : part }));
  const found = await findSelectivities(work, workspace, sources, after);
  // There is one selectivity for each choice.
  const selectivities: Selectivities = new Map(choices.map((part, index) => [part, found[index]!]));
  // The lines above have found candidates. The selectivities only choose between them.
  return { members: isOthers ? "others" : "candidates", candidates: candidatesOf(asked, selectivities)! };
}

async function findSelectivities(
  work: Work,
  workspace: string,
  candidates: readonly Candidates[],
  after: string | null,
): Promise<string[]> {
  // Nothing is compared with a single selectivity, so it is not read.
  const rows = candidates.length > 1 ? await work.rows(sql.findSelectivities(workspace, candidates, after)) : [];
  const sampled = new Map(rows.map((row) => [Number(row.source), id(row.contact_id)]));
  return candidates.map((_, index) => sampled.get(index) ?? beyondEveryId);
}

const beyondEveryId = "~";

// Each window costs one or two statements. A window with a member in it also costs a read of all its contacts.
const windowSize = 4_096;

/**
 * Lists the contacts that are not candidates, window by window. If the windows so far had less than one member on average, first
 * checks the next one. It is empty if its last contact is also the last of as many of the most frequent candidates.
 */
async function listOthers(
  work: Work,
  workspace: string,
  candidates: readonly Candidates[],
  slice: Slice,
): Promise<PageRows<ContactRow>> {
  let start = slice.after?.id ?? null;
  const selectivities = await findSelectivities(work, workspace, candidates, start);
  // There is at least one candidate, so there is a least selectivity.
  const frequent = candidates[selectivities.indexOf(selectivities.toSorted()[0]!)]!;
  const { page, fill } = createPageReader(slice, toContact);
  for (let windows = 0; ; windows++) {
    const compared = page.rows.length < windows ? frequent : null;
    const [ends] = await work.rows(sql.findEnds(workspace, compared, start, windowSize));
    // The statement returns one row, also where no contacts are left.
    const [contact, candidate] = [idOrNull(ends!.contact), idOrNull(ends!.candidate)];
    if (contact === null || contact !== candidate) {
      const window = { after: start, upTo: contact };
      await fill((last, count, maxBytes) => {
        const rest = { ...window, after: last?.id ?? window.after };
        return work.rows(sql.listOthers(workspace, candidates, rest, count), maxBytes);
      });
    }
    if (contact === null || page.more) return page;
    start = contact;
  }
}
