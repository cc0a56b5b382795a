import { rowMaxBytes, tooLong } from "./rows.ts";

/** The bytes of a row of CSV, without the end of its line. */
export interface CsvRow {
  /** The line at which it begins, from 1. */
  line: number;
  /** The whole row. If it is longer than `rowMaxBytes`, only its start: at most two chunks more than that. */
  bytes: Buffer;
  /** Why the row cannot be split into cells. */
  problem: string | undefined;
}

const [lineFeed, carriageReturn, quote, comma] = [0x0a, 0x0d, 0x22, 0x2c];
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The states of a parser within a row. In a quoted cell, two quotes stand for one. */
const [cellStart, unquoted, quoted, afterQuote, afterReturn] = [0, 1, 2, 3, 4];

/**
 * Splits CSV into rows. LF and CRLF end a row, in any mix. CR alone ends a row if it ends the first one; otherwise only a quoted
 * cell may contain it.
 */
export async function* splitCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  let state = cellStart;
  let returnEndsRow: boolean | undefined;
  let fault: string | undefined;
  let begins = 1;
  let line = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    // The rest of a row that is too long is not read into memory.
    if (size <= rowMaxBytes) parts.push(part);
    size += part.length;
  };
  const take = (rest: Buffer): CsvRow => {
    add(rest);
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    if (size > rowMaxBytes) fault ??= tooLong;
    const row = { line: begins, bytes: state === afterReturn ? bytes.subarray(0, -1) : bytes, problem: fault };
    [state, fault, begins, parts, size] = [cellStart, undefined, line, [], 0];
    return row;
  };

  for await (const chunk of withoutMark(chunks)) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === lineFeed) line++;
      if (state === quoted) {
        if (byte === quote) state = afterQuote;
        continue;
      }
      if (state === afterReturn && byte !== lineFeed) {
        if ((returnEndsRow ??= true)) {
          line++;
          yield take(chunk.subarray(start, at));
          start = at;
        } else {
          fault ??= "has a carriage return outside of quotes";
          state = unquoted;
        }
      }
      if (byte === lineFeed) {
        returnEndsRow ??= false;
        yield take(chunk.subarray(start, at));
        start = at + 1;
      } else if (byte === carriageReturn) state = afterReturn;
      else if (byte === comma) state = cellStart;
      else if (byte === quote && state !== unquoted) state = quoted;
      else {
        if (state === afterQuote) fault ??= "has text after the closing quote of a cell";
        state = unquoted;
      }
    }
    add(chunk.subarray(start));
  }
  if (state === quoted) fault = "has a quote that is not closed, so that the rest of the file is a part of it";
  if (size > 0) yield take(Buffer.alloc(0));
}

/** Leaves out the byte order mark with which some programs begin a file. */
async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!begun) {
      yield chunk;
      continue;
    }
    begun = Buffer.concat([begun, chunk]);
    if (begun.length < byteOrderMark.length) continue;
    yield begun.subarray(begun.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0);
    begun = null;
  }
  if (begun) yield begun;
}

/** The cells of a row without a problem. */
export function cellsOf(text: string): string[] {
  const cells: string[] = [];
  for (let at = 0; ;) {
    let close = -1;
    if (text[at] === '"') {
      close = text.indexOf('"', at + 1);
      while (text[close + 1] === '"') close = text.indexOf('"', close + 2);
    }
    const next = text.indexOf(",", close === -1 ? at : close);
    const end = next === -1 ? text.length : next;
    cells.push(close === -1 ? text.slice(at, end) : text.slice(at + 1, close).replaceAll('""', '"'));
    if (next === -1) return cells;
    at = next + 1;
  }
}
