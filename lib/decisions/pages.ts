/** The end of a page. */
import type { PageRows } from "../storage/rows.ts";

/** A page that is being filled. */
export interface OpenPage<Row> {
  page: PageRows<Row>;
  /** Adds the next row of the list. Returns `false`, and sets `more`, if the page has no room for it. */
  add(this: void, row: Row): boolean;
}

/** Begins an empty page. */
export function beginPage<Row>(limit: number): OpenPage<Row> {
  const page: PageRows<Row> = { rows: [], more: false };
  return {
    page,
    add(row) {
      page.more = page.rows.length === limit;
      if (!page.more) page.rows.push(row);
      return !page.more;
    },
  };
}

/** Makes a page of the first rows. Looks at one row more than the page has. */
export function fillPage<Source, Row>(
  sources: Iterable<Source>,
  limit: number,
  toRow: (source: Source) => Row,
): PageRows<Row> {
  const { page, add } = beginPage<Row>(limit);
  for (const source of sources) if (!add(toRow(source))) break;
  return page;
}
