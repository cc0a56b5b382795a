import { pipeline } from "node:stream";
import { Refusal } from "../settings.ts";
import { rowMaxBytes, type Row } from "./rows.ts";

/**
 * Reads the rows of CSV as RFC 4180 describes it, in UTF-8. The first row is the header: a dot in a column's name leads into an
 * object. An empty cell is no value. Throws a `Refusal` for a file that cannot be read on.
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const { parse } = await import("csv-parse").catch(() => {
    throw new Refusal("Reading CSV needs the package csv-parse: npm i csv-parse");
  });
  const parser = parse({ bom: true, relax_quotes: true, relax_column_count: true, max_record_size: rowMaxBytes });
  // The error of either side is thrown by the iteration.
  pipeline(
    inUtf8(chunks),
    parser.on("error", () => {}),
    () => {},
  );
  let header: string[][] | undefined;
  let line = 1;
  let number = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const begins = line;
      line += 1 + lineFeedsIn(cells);
      if (cells.length === 1 && cells[0] === "") continue;
      if (!header) {
        header = columnsOf(cells);
        continue;
      }
      const text = JSON.stringify(cells);
      const row = { line: begins, number: ++number, text };
      if (cells.length === header.length) yield { ...row, value: toObject(header, cells) };
      else yield { ...row, value: null, problem: `has ${cells.length} cells; the header has ${header.length}` };
    }
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, line);
  }
}

/** Fails at the first bytes that are no UTF-8: the parser would replace them. */
async function* inUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of chunks) {
    decoder.decode(chunk, { stream: true });
    yield chunk;
  }
  decoder.decode();
}

function explained(error: NodeJS.ErrnoException, line: number): Error {
  if (error.code === "ERR_ENCODING_INVALID_ENCODED_DATA")
    return new Refusal(`Bytes after line ${line - 1} are not UTF-8.`);
  if (error.code === "CSV_QUOTE_NOT_CLOSED" || error.code === "CSV_MAX_RECORD_SIZE")
    return new Refusal(`A quote in the row at line ${line} is not closed.`);
  return error;
}

function lineFeedsIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf("\n"); at !== -1; at = cell.indexOf("\n", at + 1)) count++;
  }
  return count;
}

/** The path of each column. */
function columnsOf(names: readonly string[]): string[][] {
  const paths = new Set<string>();
  for (const name of names) {
    if (paths.has(name)) throw new Refusal(`The header has the column ${JSON.stringify(name)} twice.`);
    paths.add(name);
  }
  const within = names.find((name) => names.some((other) => name.startsWith(`${other}.`)));
  if (within !== undefined) throw new Refusal(`The column ${JSON.stringify(within)} lies within another.`);
  return names.map((name) => name.split("."));
}

function toObject(header: readonly string[][], cells: readonly string[]): Record<string, unknown> {
  const row = Object.create(null) as Record<string, unknown>;
  for (const [index, path] of header.entries()) {
    if (cells[index] === "") continue;
    let object = row;
    for (const name of path.slice(0, -1)) {
      object = (object[name] ??= Object.create(null)) as Record<string, unknown>;
    }
    // A path has at least one name.
    object[path.at(-1)!] = cells[index];
  }
  return row;
}
