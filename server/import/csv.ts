import { isUtf8 } from "node:buffer";
import { CommandError } from "../settings.ts";
import { cellsOf, splitCsv } from "./csv-rows.ts";
import { shownBytes, type Row } from "./rows.ts";

/**
 * Reads the rows of CSV as RFC 4180 describes it, in UTF-8. The first row is the header. The column `a.b` is the field `b` of
 * the object `a`. An empty cell is no value. Throws a `CommandError` for a header that cannot be used, or lacks a path of `needed`.
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>, needed: readonly string[]): AsyncGenerator<Row> {
  let header: string[][] | undefined;
  let number = 0;
  for await (const { line, bytes, problem: fault } of splitCsv(chunks)) {
    const problem = fault ?? (isUtf8(bytes) ? undefined : "is not in UTF-8");
    if (problem !== undefined) {
      if (!header) throw new CommandError(`The header at line ${line} ${problem}.`);
      yield { line, number: ++number, text: bytes.toString("utf8", 0, shownBytes), value: null, problem };
      continue;
    }
    const cells = cellsOf(bytes.toString());
    if (cells.length === 1 && cells[0] === "") continue;
    if (!header) {
      header = columnsOf(cells);
      checkNeeded(cells, needed);
      continue;
    }
    const row = { line, number: ++number, text: JSON.stringify(cells) };
    if (cells.length === header.length) yield { ...row, value: toObject(header, cells) };
    else yield { ...row, value: null, problem: `has ${cells.length} cells; the header has ${header.length}` };
  }
}

/** The path of each column. */
function columnsOf(names: readonly string[]): string[][] {
  // NUL sorts before every other character, so a name comes directly before the names within it.
  const sorted = names.map((name) => name.replaceAll(".", "\0")).sort();
  for (const [index, before] of sorted.slice(0, -1).entries()) {
    // The slice leaves out the last name, which has none after it.
    const name = sorted[index + 1]!;
    const shown = JSON.stringify(name.replaceAll("\0", "."));
    if (name === before) throw new CommandError(`The header has the column ${shown} twice.`);
    if (name.startsWith(`${before}\0`)) throw new CommandError(`The column ${shown} lies within another.`);
  }
  return names.map((name) => name.split("."));
}

/** A column may hold an object in JSON, and more than one column may lie within a path. */
function checkNeeded(names: readonly string[], needed: readonly string[]): void {
  const isIn = (path: string): boolean =>
    names.some((name) => `${name}.`.startsWith(`${path}.`) || path.startsWith(`${name}.`));
  const missing = needed.filter((path) => !isIn(path)).map((path) => JSON.stringify(path));
  if (missing.length > 0) throw new CommandError(`--map: the header has no column ${missing.join(", ")}.`);
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
