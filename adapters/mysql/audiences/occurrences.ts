/** Counts the events of contacts that are written. */
import { holds, type ContactData } from "../../../lib/decisions/conditions.ts";
import type { OccurrenceTest } from "../../../lib/storage/rows.ts";
import { id } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";
import { boundsOf } from "./plan.ts";
import * as sql from "./sql/index.ts";

/** The number of events that the test counts, by contact id. Reads no events of contacts whose summaries exclude such events. */
export async function countOccurrences(
  work: Work,
  test: OccurrenceTest,
  contacts: readonly ContactData[],
): Promise<ReadonlyMap<string, number>> {
  // A count of 1, because the write itself may add the last event that the test needs.
  const bounds = boundsOf({ ...test, count: 1 });
  const ids = contacts.filter((contact) => holds(bounds, contact)).map(({ row }) => row.id);
  const rows = ids.length > 0 ? await work.rows(sql.countOccurrences(test, ids)) : [];
  return new Map(rows.map((row) => [id(row.contact_id), Number(row.event_count)]));
}
