/** A row of a file. */
export interface Row {
  /** The line at which it begins, from 1. */
  line: number;
  /** The number of the row, from 1, without blank lines and the header. */
  number: number;
  /** The text for the idempotency key: the line of NDJSON, or the cells of CSV as JSON. */
  text: string;
  /** `null` if the row cannot be read. */
  value: Record<string, unknown> | null;
  /** Why the row cannot be read. */
  problem?: string;
}

/** The largest size of a row. An event whose properties all have the largest size, with every character escaped, has 7 MiB. */
export const rowMaxBytes: number = 8 * 1_024 * 1_024;

export const tooLong: string = `has more than ${rowMaxBytes} bytes`;

/** The number of bytes to list of a row that cannot be split into cells. */
export const shownBytes = 1_000;
