import type { Position, Slice } from "../../../lib/storage/rows.ts";
import { fragment, sqlOf, uuid, type Fragment } from "./fragments.ts";

/** Selects rows of a list. */
export type Part = Pick<Slice, "limit" | "after">;

/** The direction of a list in order of time, then id. */
export type Direction = "ASC" | "DESC";

/**
 * The condition of the rows beyond the position, or with `orAt` of its own row too; none if it is `null`. `name` is the table's name
 * in the statement.
 */
export function beyond(name: string, after: Position | null, direction: Direction, orAt: "" | "=" = ""): Fragment {
  if (after === null) return sqlOf("");
  const [past, upTo] = (direction === "ASC" ? [">", ">="] : ["<", "<="]).map(sqlOf) as [Fragment, Fragment];
  const [time, id, at] = [sqlOf(`${name}.created_at`), sqlOf(`${name}.id`), after.createdAt];
  const idPast = fragment`${id} ${past}${sqlOf(orAt)} ${uuid(after.id)}`;
  // The last condition follows from the others. The optimizer needs it to seek in the index.
  return fragment` AND (${time} ${past} ${at} OR (${time} = ${at} AND ${idPast})) AND ${time} ${upTo} ${at}`;
}

export function inOrder(name: string, direction: Direction): Fragment {
  return sqlOf(`ORDER BY ${name}.created_at ${direction}, ${name}.id ${direction}`);
}
