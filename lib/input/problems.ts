/** The problems with texts, numbers and booleans, whichever struct finds them. */
import type { IssueCode } from "../model/errors.ts";
import { valueMaxBytes } from "../model/limits.ts";

/** A failure in our structs. Always has a message: superstruct's default contains the value, and throws for some values. */
export interface Failure {
  path: string[];
  message: IssueCode;
  /** Describes the expected value in words; absent if the code alone is clear. */
  explanation?: string;
}

/** The problem with a value. The explanation of a problem that is only a code comes from the struct. */
export type Problem = IssueCode | Omit<Failure, "path">;

export function problem(message: IssueCode, explanation: string): Problem {
  return { message, explanation };
}

/** The problem with a text, a number or a boolean that is to be stored exactly, or `null`. */
export function scalarProblem(value: unknown): Problem | null {
  if (value === null) return "not_allowed_null";
  if (typeof value === "string") return textProblem(value, valueMaxBytes);
  if (typeof value === "number") return isExact(value) ? null : notExact;
  return typeof value === "boolean" ? null : "wrong_type";
}

const notExact = problem("out_of_range", "Must be a finite number and, when whole, between -(2^53 - 1) and 2^53 - 1.");

/** Whether the number is the one that was sent: finite, and not an integer too large for a double to hold exactly. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** The problem with a text, or `null`: longer than `maxBytes` in UTF-8, or lone surrogates, which UTF-8 cannot encode. */
export function textProblem(value: string, maxBytes: number): Problem | null {
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most texts need no counting.
  if (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes) {
    return problem("too_long", `Too long: at most ${maxBytes} bytes of UTF-8.`);
  }
  return value.isWellFormed() ? null : loneSurrogate;
}

const loneSurrogate = problem("invalid_format", "Must be text without lone surrogates, which UTF-8 cannot hold.");
