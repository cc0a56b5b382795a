import { openSync, readFileSync, writeSync } from "node:fs";
import type { Call, StepAnswer } from "./calls.ts";

/** A change that a reader has read. */
export interface ReadChange {
  id: string;
  cursor: string;
  contactId: string;
}

/** A line of a worker's log. `at` is in microseconds, on the clock that all processes of the machine have. */
export type LogLine = { id: string; at: number } & (
  | { call: Call }
  // The answer of a step, and then of the whole call. `no` is the code of an error.
  | { step: number; ok: StepAnswer }
  | { step: number; no: string; message?: string }
  | { read: ReadChange }
  | { ok: unknown }
  | { no: string; message?: string }
);

/** A line without its time. */
type Entry = LogLine extends infer Each ? (Each extends LogLine ? Omit<Each, "at"> : never) : never;

export type Note = (entry: Entry) => void;

export function now(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Appends lines to the file. A line that was noted is there, even if the process is killed at once. */
export function createLog(path: string): Note {
  const file = openSync(path, "a");
  return (entry) => void writeSync(file, `${JSON.stringify({ at: now(), ...entry })}\n`);
}

/** The lines of the file, but for one that a killed process left unfinished. */
export function readLog(path: string): LogLine[] {
  return readFileSync(path, "utf8").split("\n").slice(0, -1).flatMap(toLine);
}

function toLine(text: string): LogLine[] {
  try {
    return [JSON.parse(text) as LogLine];
  } catch {
    return [];
  }
}

/** What an error is noted as. */
export function codeOf(error: unknown): { no: string; message?: string } {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return { no: typeof code === "string" ? code : "none", message: String(message ?? error).slice(0, 300) };
}
