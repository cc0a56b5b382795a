/** The end of a page. */
import type { PageRows, PageSize } from "../storage/rows.ts";

/** A page that is being filled. */
export interface OpenPage<Row> {
  page: PageRows<Row>;
  /** The size of its rows. */
  bytes(this: void): number;
  /** Adds the next row of the list. Returns `false`, and sets `more`, if the page has no room for it. */
  add(this: void, row: Row): boolean;
}

/** Begins an empty page. */
export function beginPage<Row>({ limit, maxBytes }: PageSize): OpenPage<Row> {
  const page: PageRows<Row> = { rows: [], more: false };
  let bytes = 0;
  return {
    page,
    bytes: () => bytes,
    add(row) {
      const { length } = page.rows;
      const larger = bytes + bytesOfRow(row);
      page.more = length === limit || (length > 0 && larger > maxBytes);
      if (page.more) return false;
      page.rows.push(row);
      bytes = larger;
      return true;
    },
  };
}

/** Makes a page of the first rows. Looks at one row more than the page has. */
export function fillPage<Source, Row>(
  sources: Iterable<Source>,
  size: PageSize,
  toRow: (source: Source) => Row,
): PageRows<Row> {
  const { page, add } = beginPage<Row>(size);
  for (const source of sources) if (!add(toRow(source))) break;
  return page;
}

/** The size of a row, about that of its JSON: the bytes of its names and values, without punctuation. */
export function bytesOfRow(row: unknown): number {
  if (typeof row !== "object" || row === null) return Buffer.byteLength(String(row));
  let bytes = 0;
  for (const [name, value] of Object.entries(row)) bytes += name.length + bytesOfRow(value);
  return bytes;
}
