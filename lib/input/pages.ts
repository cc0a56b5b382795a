import { isId } from "../model/ids.ts";
import { issue } from "../model/errors.ts";
import * as limits from "../model/limits.ts";
import type { ContactPosition, ContactSlice, PageRows, Position, Slice } from "../storage/rows.ts";
import type { ContactPageRequest, Page, PageRequest } from "../model/types.ts";
import { flag, oneOf, text, textOf, wholeNumber } from "./fields.ts";
import { definitionKeyStruct } from "./identifiers.ts";
import type { Problem } from "./problems.ts";
import { leaf, optional, refuse, shape, type Input } from "./shapes.ts";

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

/** The slice to read from the storage. */
export function sliceOf({ limit = limits.pageLimitDefault, cursor }: PageRequest): Slice {
  return { limit, maxBytes: limits.pageMaxBytes, after: cursor === undefined ? null : decodeCursor(cursor) };
}

/** Makes a page of the rows that a storage returned. */
export function pageOf<Row extends Position, Item>(
  { rows, more, next }: PageRows<Row> & { next?: ContactPosition },
  toItem: (row: Row) => Item,
  encode: (position: ContactPosition) => string = encodeCursor,
): Page<Item> {
  const last = more ? (next ?? rows.at(-1)) : undefined;
  return { items: rows.map(toItem), nextCursor: last ? encode(last) : null };
}

/** The conditions of a page of contacts, and the position where it ended. */
type ContactCursor = ContactPosition & Pick<ContactSlice, "query" | "order">;

/** Encodes the position where a page of contacts ended. A page of all contacts, the oldest first, has the cursor of other lists. */
export function encodeContactCursor({ createdAt, id, order, query, byWord }: ContactCursor): string {
  if (order === "oldest" && query === "") return encodeCursor({ createdAt, id });
  const mark = byWord && query !== "" ? "+" : "";
  return Buffer.from(`${createdAt} ${id} ${order}${mark} ${query}`).toString("base64url");
}

/** Returns `null` if the text is not the result of `encodeContactCursor`. */
export function decodeContactCursor(cursor: string): ContactCursor | null {
  const [createdAt, id = "", marked = "oldest", ...query] = Buffer.from(cursor, "base64url").toString().split(" ");
  const row = decodeCursor(encodeCursor({ createdAt: Number(createdAt), id }));
  const [order, mark] = marked.split(/(?=\+)/);
  if (row === null || (order !== "oldest" && order !== "newest")) return null;
  const position = { ...row, ...(mark && { byWord: true as const }), order, query: query.join(" ") } as const;
  return encodeContactCursor(position) === cursor ? position : null;
}

/** The slice to read, like `sliceOf`; its query is not folded. Throws `invalid_input` if the cursor is that of another list. */
export function contactSliceOf(request: ContactPageRequest): ContactSlice {
  const { limit = limits.pageLimitDefault, cursor, query, order } = request;
  const position = cursor === undefined ? null : decodeContactCursor(cursor);
  const asked = { query: query ?? position?.query ?? "", order: order ?? position?.order ?? "oldest" };
  if (position && (position.query !== asked.query || position.order !== asked.order)) {
    refuse([issue("cursor", "invalid_format", "Must be the nextCursor of a page with the same query and order.")]);
  }
  const mark = position?.byWord && { byWord: true as const };
  const after = position && { createdAt: position.createdAt, id: position.id, ...mark };
  return { limit, maxBytes: limits.pageMaxBytes, after, ...asked };
}

/** Encodes a position in the log of changes. */
export function encodeChangeCursor(position: number): string {
  return Buffer.from(String(position)).toString("base64url");
}

/** Returns `null` if the text is not the result of `encodeChangeCursor`. */
export function decodeChangeCursor(cursor: string): number | null {
  const position = Number(Buffer.from(cursor, "base64url").toString("latin1"));
  return Number.isSafeInteger(position) && encodeChangeCursor(position) === cursor ? position : null;
}

/** Encodes the key where a page of keys ended. */
export function encodeKeyCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}

/** Returns `null` if the text is not the result of `encodeKeyCursor` for an event key. */
export function decodeKeyCursor(cursor: string): string | null {
  const key = Buffer.from(cursor, "base64url").toString();
  return key !== "" && Buffer.byteLength(key) <= limits.eventKeyMaxBytes && encodeKeyCursor(key) === cursor
    ? key
    : null;
}

const limitField = optional(wholeNumber(1, limits.pageLimitMax));

/** The longest cursor is that of contacts: a time, an id, an order and a query. */
const cursorMaxBytes = Math.ceil(((limits.textMaxBytes + 64) * 4) / 3);

function cursorField(
  decode: (cursor: string) => unknown,
  expected = "the nextCursor of a page",
): Input<string | undefined> {
  const find = (cursor: string): Problem | null => (decode(cursor) === null ? "invalid_format" : null);
  return optional(textOf(expected, cursorMaxBytes, find, { pattern: "^[A-Za-z0-9_-]+$" }));
}

export const pageFields: { limit: Input<number | undefined>; cursor: Input<string | undefined> } = {
  limit: limitField,
  cursor: cursorField(decodeCursor),
};

export const pageRequestStruct: Input<PageRequest> = shape(pageFields);

const contactPageFields = {
  limit: limitField,
  cursor: cursorField(decodeContactCursor),
  query: optional(text(limits.textMaxBytes)),
  order: optional(oneOf(["oldest", "newest"] as const)),
};

export const contactPageRequestStruct: Input<ContactPageRequest> = shape(contactPageFields);

/** The query of a page that may ask for the number of contacts too. */
export const contactListStruct: Input<ContactPageRequest & { count?: boolean | undefined }> = shape({
  ...contactPageFields,
  count: optional(flag),
});

/** The request of a page whose rows are in the order of their keys. */
export const keyPageRequestStruct: Input<PageRequest> = shape({
  limit: limitField,
  cursor: cursorField(decodeKeyCursor),
});

const afterField = cursorField(decodeChangeCursor, "the cursor of a change");

/** Selects changes of a subscription. */
export interface ChangesRequest {
  after?: string | undefined;
  signal?: AbortSignal | undefined;
}

export const changesRequestStruct: Input<ChangesRequest> = shape({
  after: afterField,
  signal: optional(
    leaf<AbortSignal>("an AbortSignal", (value) => (value instanceof AbortSignal ? null : "wrong_type")),
  ),
});

/** Selects a page of changes. `wait` is in seconds. */
export interface ChangePageRequest {
  after?: string | undefined;
  limit?: number | undefined;
  wait?: number | undefined;
}

export const changePageRequestStruct: Input<ChangePageRequest> = shape({
  after: afterField,
  limit: limitField,
  wait: optional(wholeNumber(0, limits.changesWaitMaxSeconds)),
});

/** The request of the newest changes of a subscription. */
export interface RecentChangesRequest {
  limit?: number | undefined;
  audienceKey?: string | undefined;
}

export const recentChangesStruct: Input<RecentChangesRequest> = shape({
  limit: limitField,
  audienceKey: optional(definitionKeyStruct),
});
