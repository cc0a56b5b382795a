import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Refusal } from "../settings.ts";
import type { Row } from "./rows.ts";

/** Why a row was refused, as an error of the API has it. */
export interface Reason {
  code: string;
  message: string;
  issues?: readonly { path: string; code: string; message: string }[];
}

/** A row that has a value, or else its text. */
export type RefusedRow = Pick<Row, "line" | "value"> & { text?: string };

/** The file that lists refused rows: a line of JSON for each, with the line, the reason and the row. */
export interface RefusedRows {
  /** Resolves when there is room for the next. */
  add(row: RefusedRow, reason: Reason): Promise<void>;
  close(): Promise<void>;
}

/** Removes the file of an earlier run, and makes it anew at the first row. */
export async function openRefusedRows(file: string): Promise<RefusedRows> {
  await rm(file, { force: true });
  let stream: WriteStream | undefined;
  let failure: NodeJS.ErrnoException | undefined;
  const assertWritten = (): void => {
    if (failure) throw new Refusal(`Cannot write ${file}: ${failure.code}.`);
  };
  return {
    async add({ line, value, text }, reason) {
      stream ??= createWriteStream(file).on("error", (error) => (failure = error));
      const isFull = !stream.write(`${JSON.stringify({ line, ...reason, row: value ?? text })}\n`);
      if (isFull && !failure) await once(stream, "drain").catch(() => {});
      assertWritten();
    },
    async close() {
      if (stream && !failure) {
        stream.end();
        await once(stream, "close");
      }
      assertWritten();
    },
  };
}
