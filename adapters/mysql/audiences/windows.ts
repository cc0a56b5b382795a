/** Reads the contacts between two ids, for first passes and sweeps. */
import type { Condition } from "../../../lib/storage/rows.ts";
import { id } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";
import { candidatesOf } from "./plan.ts";
import * as sql from "./sql/index.ts";

/** The ids of the next contacts, in order. */
export async function listNextIds(
  work: Work,
  workspace: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  return (await work.rows(sql.listIds(workspace, after, limit))).map((row) => id(row.id));
}

/** The members after one id, up to and including another. A window is small, so any candidates will do. */
export async function listMemberIds(
  work: Work,
  workspace: string,
  condition: Condition,
  window: { after: string | null; upTo: string | null },
): Promise<string[]> {
  const candidates = candidatesOf(condition, new Map());
  const rows = await work.rows(sql.listMemberIds(workspace, condition, candidates, window));
  return rows.map((row) => id(row.contact_id));
}
