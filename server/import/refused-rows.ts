import { open, type FileHandle } from "node:fs/promises";
import { CommandError } from "../settings.ts";
import type { Row } from "./rows.ts";

/** Why a row was refused, in the form of an error of the API. */
export interface Reason {
  code: string;
  message: string;
  issues?: readonly { path: string; code: string; message: string }[];
}

/** A refused row: its value, or its text if it has no value. */
export type RefusedRow = Pick<Row, "line" | "value"> & { text?: string };

/** The file that lists refused rows: a line of JSON for each, with the line, the reason and the row. */
export interface RefusedRows {
  /** The name of the file; `null` before the first row. */
  readonly file: string | null;
  /** The number of its lines. */
  readonly listed: number;
  /** Resolves when the row is written. Throws a `CommandError` if it cannot be written. */
  add(row: RefusedRow, reason: Reason): Promise<void>;
  close(): Promise<void>;
}

/** Creates the file at the first row, under the first free name, because another run may be writing its own file. */
export function openRefusedRows(source: string): RefusedRows {
  let file: string | null = null;
  let listed = 0;
  let bytes = 0;
  let writing: Promise<FileHandle> | undefined;

  async function openNew(number = 1): Promise<FileHandle> {
    const name = `${source}.refused${number === 1 ? "" : `-${number}`}.ndjson`;
    try {
      const handle = await open(name, "ax");
      file = name;
      return handle;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return openNew(number + 1);
      throw new CommandError(`Cannot write ${name}: ${(error as NodeJS.ErrnoException).code}.`);
    }
  }

  async function write(handle: FileHandle, text: string): Promise<FileHandle> {
    await handle.appendFile(text).catch(async ({ code }: NodeJS.ErrnoException) => {
      // A full disk may have stored a part of the line.
      await handle.truncate(bytes).catch(() => {});
      throw new CommandError(`Cannot write ${file}: ${code}.`);
    });
    bytes += Buffer.byteLength(text);
    listed++;
    return handle;
  }

  return {
    get file() {
      return file;
    },
    get listed() {
      return listed;
    },
    async add({ line, value, text }, reason) {
      const told = `${textOf({ line, ...reason, row: value ?? text })}\n`;
      // Writes one row after another, because a long row is written in several pieces.
      writing = (writing ?? openNew()).then((handle) => write(handle, told));
      await writing;
    },
    async close() {
      // `add` has already rejected with the error.
      const handle = await writing?.catch(() => null);
      await handle?.close();
    },
  };
}

function textOf(listed: object): string {
  try {
    return JSON.stringify(listed);
  } catch {
    // The row is nested too deeply.
    return JSON.stringify({ ...listed, row: null });
  }
}
