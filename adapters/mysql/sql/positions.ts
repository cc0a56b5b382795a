import type { Position, Slice } from "../../../lib/storage/rows.ts";
import { hexOf, type Fragment } from "./statement.ts";

/** Selects rows of a list. */
export type Part = Pick<Slice, "limit" | "after">;

/** The direction of a list in order of time, then id. */
export type Direction = "ASC" | "DESC";

/** The condition of the rows beyond the position; none if it is `null`. `table` is the table's name in the statement. */
export function beyond(table: string, after: Position | null, direction: Direction): Fragment {
  if (after === null) return { sql: "", values: [] };
  const [past, upTo] = direction === "ASC" ? [">", ">="] : ["<", "<="];
  const [time, id] = [`${table}.created_at`, `${table}.id`];
  // The last condition follows from the others. The optimizer needs it to seek in the index.
  return {
    sql: ` AND (${time} ${past} ? OR (${time} = ? AND ${id} ${past} UNHEX(?))) AND ${time} ${upTo} ?`,
    values: [after.createdAt, after.createdAt, hexOf(after.id), after.createdAt],
  };
}

export function inOrder(table: string, direction: Direction): string {
  return `ORDER BY ${table}.created_at ${direction}, ${table}.id ${direction}`;
}
