import { Struct, optional } from "superstruct";
import { isId } from "../ids.ts";
import { eventKeyMaxBytes, pageLimitDefault, pageLimitMax } from "../limits.ts";
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

/** Encodes the key where a page of keys ended. */
export function encodeKeyCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}

/** Returns `null` if the text is not the result of `encodeKeyCursor` for an event key. */
export function decodeKeyCursor(cursor: string): string | null {
  const key = Buffer.from(cursor, "base64url").toString();
  return key !== "" && Buffer.byteLength(key) <= eventKeyMaxBytes && encodeKeyCursor(key) === cursor ? key : null;
}

const limitField = optional(wholeNumber(1, pageLimitMax));

function cursorField(decode: (cursor: string) => unknown): Struct<string | undefined, null> {
  return optional(
    leaf<string>("the nextCursor of a page", (value) => {
      if (typeof value !== "string") return "wrong_type";
      return decode(value) === null ? "invalid_format" : null;
    }),
  );
}

export const pageFields: { limit: Struct<number | undefined, null>; cursor: Struct<string | undefined, null> } = {
  limit: limitField,
  cursor: cursorField(decodeCursor),
};

export const pageRequestStruct: Struct<PageRequest, null> = shape<PageRequest>("PageRequest", pageFields);

/** The request of a page whose rows are in the order of their keys. */
export const keyPageRequestStruct: Struct<PageRequest, null> = shape<PageRequest>("KeyPageRequest", {
  limit: limitField,
  cursor: cursorField(decodeKeyCursor),
});
