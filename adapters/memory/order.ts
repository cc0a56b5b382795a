import type { Position } from "../../lib/storage/rows.ts";

/** Compares two rows in the order of all lists: by `createdAt`, then id. */
export function compare(a: Position, b: Position): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The number of rows before the position. The rows must be in order. */
export function countBefore(rows: readonly Position[], position: Position): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // `middle` is below `high`, and so below the length.
    if (compare(rows[middle]!, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Inserts the row at its position in the order, which nearly always is the end. */
export function insertInOrder<Row extends Position>(rows: Row[], row: Row): void {
  const last = rows.at(-1);
  if (!last || compare(last, row) < 0) rows.push(row);
  else rows.splice(countBefore(rows, row), 0, row);
}

/** The row with this time and id, or `undefined`. */
export function findInOrder<Row extends Position>(rows: readonly Row[], position: Position): Row | undefined {
  const last = rows.at(-1);
  // The usual case: the row is new, so it comes after all others.
  if (!last || compare(last, position) < 0) return undefined;
  const row = rows[countBefore(rows, position)];
  return row?.id === position.id ? row : undefined;
}
