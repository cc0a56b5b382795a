import { createReadStream, type ReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { addAbortSignal, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { CommandError, UsageError } from "../settings.ts";
import { readCsv } from "./csv.ts";
import { readNdjson } from "./ndjson.ts";
import type { Row } from "./rows.ts";

/** A file, or standard input. */
export interface Source {
  /** The part of idempotency keys that distinguishes the rows of this file from those of other files. */
  name: string;
  /** The start of the name of the file of refused rows. */
  file: string;
  /**
   * The rows, until the signal is aborted. Reads the file no faster than the rows are consumed. CSV must have the columns that are
   * needed; in NDJSON each row may lack them.
   */
  rows(needed: readonly string[]): AsyncGenerator<Row>;
  /** Ends `rows` after the rows that were read. */
  stop(): void;
  /** The part of the file that has been read, from 0 to 1; `null` if its size is not known. */
  readPart(): number | null;
}

const readers: Record<string, (chunks: AsyncIterable<Buffer>, needed: readonly string[]) => AsyncGenerator<Row>> = {
  csv: readCsv,
  ndjson: readNdjson,
};

/**
 * Opens a file, or standard input for `-`, which needs a name. The name ends in `.csv` or `.ndjson`, and in `.gz` after that if
 * it is compressed. Throws a `UsageError` for another name, and a `CommandError` if there is no such file.
 */
export async function openSource(file: string, given: string | undefined, signal: AbortSignal): Promise<Source> {
  const isInput = file === "-";
  if (isInput && given === undefined) throw new UsageError("Standard input needs --source NAME.");
  const fileName = given ?? basename(file);
  const [, stem = "", ending = "", gz] = /^([^/\\]*)\.(csv|ndjson)(\.gz)?$/.exec(fileName) ?? [];
  const read = readers[ending];
  if (!read)
    throw new UsageError("The name of a source ends in .csv, .ndjson, .csv.gz or .ndjson.gz and has no slash.");
  const size = isInput ? null : await sizeOf(file);
  const stream = isInput ? process.stdin : createReadStream(file);
  // An error that comes while nobody reads must not end the process. The next read throws it.
  stream.on("error", () => {});
  addAbortSignal(signal, stream);
  let isStopped = false;
  return {
    name: `${stem}.${ending}`,
    file: isInput ? fileName : file,
    async *rows(needed) {
      try {
        yield* read(gz ? uncompressed(stream) : stream, needed);
      } catch (error) {
        if (signal.aborted || isStopped) return;
        throw explained(error as NodeJS.ErrnoException, file);
      }
    },
    stop() {
      isStopped = true;
      stream.destroy();
    },
    readPart: () => (size === null ? null : Math.min(1, (stream as ReadStream).bytesRead / Math.max(1, size))),
  };
}

function uncompressed(stream: Readable): Readable {
  return pipeline(stream, createGunzip(), () => {}).on("error", () => {});
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new CommandError(`${file} is a folder.`);
    return found.isFile() ? found.size : null;
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, file);
  }
}

function explained(error: NodeJS.ErrnoException, file: string): Error {
  if (error instanceof CommandError) return error;
  if (error.code?.startsWith("Z_"))
    return new CommandError(`${file} is not compressed by gzip, or a part of it is missing.`);
  return error.code === undefined ? error : new CommandError(`Cannot read ${file}: ${error.code}.`);
}
