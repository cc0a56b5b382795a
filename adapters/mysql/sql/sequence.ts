import { control } from "./control.ts";
import type { Fragment } from "./fragments.ts";
import type { Query } from "./statement.ts";

/** A statement or condition with values, or a text without any. */
export type Part = Fragment | string;

/** The statements and commands of one round trip. */
export interface Sequence {
  name: string;
  parts: readonly Part[];
  /** The local variables of a compound statement. */
  declarations?: string;
}

/** The form of a sequence: one prepared compound statement for MariaDB, one text with several statements for MySQL. */
export type SequenceForm = "compound" | "several";

/** Begins a transaction with its first statement. */
export function beginningWith(query: Query): Sequence {
  return { name: query.name, parts: [control.begin, query] };
}

/** Ends a transaction with its last writes. */
export function committedAfter(writes: readonly Query[]): Sequence {
  return { name: writes.map(({ name }) => name).join("_"), parts: [...writes, control.commit] };
}

export function toFragment(part: Part): Fragment {
  return typeof part === "string" ? { sql: part, values: [] } : part;
}

/** The length of all values together, in characters. */
export function sizeOf(parts: readonly Part[]): number {
  return parts.flatMap((part) => toFragment(part).values).reduce<number>((sum, value) => sum + String(value).length, 0);
}
