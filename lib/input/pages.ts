import { Struct, optional } from "superstruct";
import { isId } from "../ids.ts";
import { pageLimitDefault, pageLimitMax } from "../limits.ts";
import type { Position, Slice } from "../storage/rows.ts";
import type { Page, PageRequest } from "../types.ts";
import { wholeNumber } from "./fields.ts";
import { leaf, shape } from "./shapes.ts";

/** Encodes the position where a page ended as an opaque text. */
export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt} ${id}`).toString("base64url");
}

/** Returns `null` if the text is not the result of `encodeCursor`. */
export function decodeCursor(cursor: string): Position | null {
  const [createdAt, id = ""] = Buffer.from(cursor, "base64url").toString("latin1").split(" ");
  const position = { createdAt: Number(createdAt), id };
  return Number.isSafeInteger(position.createdAt) && isId(id) && encodeCursor(position) === cursor ? position : null;
}

/** The slice to read from the storage. It has one row more than the page, which tells whether another page follows. */
export function sliceOf({ limit = pageLimitDefault, cursor }: PageRequest): Slice {
  return { limit: limit + 1, after: cursor === undefined ? null : decodeCursor(cursor) };
}

/** Makes a page of the rows that were read with `sliceOf`. */
export function pageOf<Row extends Position, Item>(
  rows: readonly Row[],
  { limit }: Slice,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit - 1);
  const last = rows.length === limit ? shown.at(-1) : undefined;
  return { items: shown.map(toItem), nextCursor: last ? encodeCursor(last) : null };
}

export const pageFields: { limit: Struct<number | undefined, null>; cursor: Struct<string | undefined, null> } = {
  limit: optional(wholeNumber(1, pageLimitMax)),
  cursor: optional(
    leaf<string>("the nextCursor of a page", (value) => {
      if (typeof value !== "string") return "wrong_type";
      return decodeCursor(value) ? null : "invalid_format";
    }),
  ),
};

export const pageRequestStruct: Struct<PageRequest, null> = shape<PageRequest>("PageRequest", pageFields);
