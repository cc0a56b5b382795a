/** Reads pages. */
import { beginPage } from "../../lib/decisions/pages.ts";
import type { PageRows } from "../../lib/storage/rows.ts";
import type { Row } from "./sql/index.ts";

/** Reads the next `count` rows of a list, after the item; the first ones if it is `null`. */
type ReadRows<Item> = (after: Item | null, count: number) => Promise<readonly Row[]>;

/** A page that is read from one list, or from several that follow one another. */
export interface PageReader<Item> {
  page: PageRows<Item>;
  /** Reads the list to its end, or until the page is full. Resolves with the page. */
  fill(this: void, read: ReadRows<Item>): Promise<PageRows<Item>>;
}

export function createPageReader<Item>(limit: number, toItem: (row: Row) => Item): PageReader<Item> {
  const { page, add } = beginPage<Item>(limit);
  return {
    page,
    async fill(read) {
      // One row more than fits tells whether others follow.
      for (const row of await read(null, limit - page.rows.length + 1)) if (!add(toItem(row))) break;
      return page;
    },
  };
}

/** Reads a page of one list. */
export function readPage<Item>(
  limit: number,
  toItem: (row: Row) => Item,
  read: ReadRows<Item>,
): Promise<PageRows<Item>> {
  return createPageReader(limit, toItem).fill(read);
}
