import type { ContactRows, ContactSlice, Position } from "../../../lib/storage/rows.ts";
import { contactsScannedAtOnce, sortedHitsMax } from "../limits.ts";
import { createPageReader } from "../pages.ts";
import { contactListStatements as sql, id, toContact, type Statement } from "../sql/index.ts";
import { readNumber, type Work } from "../transactions/index.ts";

/**
 * Sorts the contacts that a query finds by a beginning, if they are few. If they are many, a scan in the order of the list soon fills a
 * page. Those that it finds by a word have no index, and are scanned for. A scan ends after so many contacts, found or not.
 */
export async function listContacts(work: Work, workspace: string, slice: ContactSlice): Promise<ContactRows> {
  const { query, after } = slice;
  const { page, fill } = createPageReader(slice, toContact);
  const read = (start: Position | null, list: (part: ContactSlice) => Statement): Promise<unknown> =>
    fill((last, limit, maxBytes) => work.rows(list({ ...slice, limit, after: last ?? start }), maxBytes));
  /** Resolves with the contact at which the scan ended; `null` if it came to the end of the list. */
  const scan = async (start: Position | null, byWord: boolean): Promise<Position | null> => {
    const last = sql.findLast(workspace, { ...slice, after: start }, contactsScannedAtOnce);
    const [row] = query === "" ? [] : await work.rows(last);
    const end = row ? { createdAt: Number(row.created_at), id: id(row.id) } : null;
    await read(start, (part) => sql.listContacts(workspace, part, end, byWord));
    return end;
  };

  if (!after?.byWord) {
    const countHits = sql.countHits(workspace, query, sortedHitsMax + 1);
    const isRare = query !== "" && (await readNumber(work, countHits, "hits")) <= sortedHitsMax;
    if (isRare) await read(after, (part) => sql.sortFoundContacts(workspace, part));
    const end = isRare ? null : await scan(after, false);
    if (page.more || query === "") return page;
    if (end) return { ...page, more: true, next: end };
  }
  const { length } = page.rows;
  const end = await scan(after?.byWord ? after : null, true);
  // With no row from this scan, the page was full before.
  const last = page.more ? page.rows.slice(length).at(-1) : end;
  return last ? { ...page, more: true, next: { createdAt: last.createdAt, id: last.id, byWord: true } } : page;
}
