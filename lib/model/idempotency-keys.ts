import type { InputIssueCode } from "./errors.ts";
import { idempotencyKeyMaxCharacters } from "./limits.ts";

/** The problem with an idempotency key, or `null`. An HTTP header can carry every valid one. */
export function idempotencyKeyProblem(value: unknown): InputIssueCode | null {
  if (value === null) return "not_allowed_null";
  if (typeof value !== "string") return "wrong_type";
  if (value === "") return "too_short";
  if (value.length > idempotencyKeyMaxCharacters) return "too_long";
  return /^[\x21-\x7e]+$/.test(value) ? null : "invalid_format";
}
