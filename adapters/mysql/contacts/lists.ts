import type { ContactRow, ContactSlice, PageRows } from "../../../lib/storage/rows.ts";
import { sortedHitsMax } from "../limits.ts";
import { readPage } from "../pages.ts";
import { contactListStatements as sql, toContact } from "../sql/index.ts";
import { readNumber, type Work } from "../transactions/index.ts";

/** Sorts the hits of a query if they are few. If they are many, a scan in the order of the list soon fills a page. */
export async function listContacts(work: Work, workspace: string, slice: ContactSlice): Promise<PageRows<ContactRow>> {
  const { query } = slice;
  const isRare =
    query !== "" &&
    (await readNumber(work, sql.countHits(workspace, query, sortedHitsMax + 1), "hits")) <= sortedHitsMax;
  const list = isRare ? sql.sortFoundContacts : sql.listContacts;
  return readPage(work, slice, toContact, (last, limit) =>
    list(workspace, { ...slice, limit, after: last ?? slice.after }),
  );
}
