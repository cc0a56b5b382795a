/** Reads pages. */
import { beginPage } from "../../lib/decisions/pages.ts";
import type { PageRows, PageSize } from "../../lib/storage/rows.ts";
import { errors } from "./connection/index.ts";
import { rowsReadAtOnce, unexpectedTimes } from "./limits.ts";
import type { Row, Statement } from "./sql/index.ts";
import type { Work } from "./transactions/index.ts";

/**
 * Reads the next `count` rows of a list after an item, or its first rows if `after` is `null`. Throws `TooLarge` if the rows have
 * more than `maxBytes` and the reading could be stopped.
 */
type ReadRows<Item> = (after: Item | null, count: number, maxBytes: number) => Promise<readonly Row[]>;

/** A page that is read from one list, or from several that follow one another. */
export interface PageReader<Item> {
  page: PageRows<Item>;
  /** Reads the list to its end, or until the page is full. Resolves with the page. */
  fill(this: void, read: ReadRows<Item>): Promise<PageRows<Item>>;
}

/**
 * Reads a page in parts, so that the database does not read large rows that do not fit. The first part shows the size of the rows.
 * The second part has as many rows as then still fit. If its rows are much larger, the page ends with the first part.
 */
export function createPageReader<Item>({ limit, maxBytes }: PageSize, toItem: (row: Row) => Item): PageReader<Item> {
  const { page, bytes, add } = beginPage<Item>({ limit, maxBytes });
  let fitting = rowsReadAtOnce;
  let partMaxBytes = Infinity;

  async function fill(read: ReadRows<Item>): Promise<PageRows<Item>> {
    for (let last: Item | null = null; ;) {
      // Asks for one row more than fits, to know whether more rows follow.
      const count = Math.min(fitting, limit - page.rows.length) + 1;
      const rows = await read(last, count, partMaxBytes);
      const before = bytes();
      for (const row of rows) if (!add((last = toItem(row)))) return page;
      if (rows.length < count) return page;
      fitting = Math.floor((maxBytes - bytes()) / ((bytes() - before) / rows.length));
      partMaxBytes = unexpectedTimes * maxBytes;
    }
  }

  return {
    page,
    fill: (read) =>
      fill(read).catch((error: unknown) => {
        if (!(error instanceof errors.TooLarge)) throw error;
        page.more = true;
        return page;
      }),
  };
}

/** Reads a page of one list. */
export function readPage<Item>(
  work: Work,
  size: PageSize,
  toItem: (row: Row) => Item,
  list: (after: Item | null, count: number) => Statement,
): Promise<PageRows<Item>> {
  return createPageReader(size, toItem).fill((last, count, maxBytes) => work.rows(list(last, count), maxBytes));
}
