import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "../../lib/scope.ts";
import {
  createMapper,
  createTally,
  importRows,
  openRefusedRows,
  openSource,
  type Kind,
} from "../../server/import/index.ts";
import { rowMaxBytes, type Row } from "../../server/import/rows.ts";

/** Runs with an empty folder, and removes it. */
export async function inFolder<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "whodid-test-"));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows of a file with this name and content. */
export function rowsOf(name: string, content: string | Uint8Array): Promise<Row[]> {
  return inFolder(async (folder) => {
    await writeFile(join(folder, name), content);
    const source = await openSource(join(folder, name), undefined, new AbortController().signal);
    const rows: Row[] = [];
    for await (const row of source.rows([])) rows.push(row);
    return rows;
  });
}

/** Reads a row, one that is 25 times too long, and another. They have these lines, and the others this length. */
export async function assertRefusesLong(
  read: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Row>,
  [before, after]: [string, string],
  [first, long, last]: [number, number, number],
  length: number,
): Promise<void> {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(before);
    for (let bytes = 0; bytes <= 25 * rowMaxBytes; bytes += 65_536) yield Buffer.alloc(65_536, "x");
    yield Buffer.from(after);
  }
  const memory = process.memoryUsage.rss();
  const rows = [];
  for await (const { line, number, text, problem } of read(chunks())) rows.push([line, number, text.length, problem]);
  assert.deepEqual(rows, [
    [first, 1, length, undefined],
    [long, 2, 1_000, "has more than 8388608 bytes"],
    [last, 3, length, undefined],
  ]);
  assert.ok(process.memoryUsage.rss() - memory < 20 * rowMaxBytes);
}

export interface Imported {
  done: Record<string, number>;
  others: number;
  leftOut: Record<string, number>;
  reasons: Record<string, number>;
  /** The lines of the file of refused rows. */
  refused: { line: number; code: string; row: unknown }[];
}

interface Options {
  name?: string;
  format?: string;
  maps?: string[];
  isDryRun?: boolean;
}

/** Imports a file with this content, or NDJSON of these rows. */
export function importAll(
  scope: Scope,
  kind: Kind,
  content: string | readonly object[],
  { name = "rows.ndjson", format, maps = [], isDryRun = false }: Options = {},
): Promise<Imported> {
  return inFolder(async (folder) => {
    const file = join(folder, name);
    await writeFile(file, typeof content === "string" ? content : toNdjson(content));
    const source = await openSource(file, undefined, new AbortController().signal);
    const refusedRows = openRefusedRows(source.file);
    const tally = createTally();
    const mapper = createMapper(kind, format, maps);
    const leavesUndefined = format !== undefined;
    await importRows(scope, { kind, source, mapper, leavesUndefined, isDryRun, refusedRows, tally });
    await refusedRows.close();
    const listed = refusedRows.file === null ? "" : await readFile(refusedRows.file, "utf8");
    const refused = listed.split("\n").filter(Boolean);
    return {
      done: tally.done,
      others: tally.others,
      leftOut: { ...tally.leftOut },
      reasons: { ...tally.reasons },
      refused: refused.map((line) => JSON.parse(line) as Imported["refused"][0]),
    };
  });
}

export function toNdjson(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
