/** Structs of emails (which `foldEmail` of `model/emails.ts` lowers), externalIds, event keys and definition keys. */
import { Struct } from "superstruct";
import { emailMaxBytes, eventKeyMaxBytes, externalIdMaxBytes, keyMaxBytes } from "../model/limits.ts";
import { leaf, problem, textProblem, type Problem } from "./shapes.ts";

// The grammar of `<input type=email>` in the HTML standard. It also allows letters beyond ASCII and their combining marks.
// A mark needs a letter before it: one at the beginning would join the text before the email, or the `@`.
const atom = String.raw`[a-zA-Z0-9.!#$%&'*+/=?^_\x60{|}~\-\p{L}\p{M}]`;
const labelEnd = String.raw`[a-zA-Z0-9\p{L}\p{M}]`;
const labelMiddle = String.raw`[a-zA-Z0-9\-\p{L}\p{M}]`;
const domainLabel = `(?!\\p{M})${labelEnd}(?:${labelMiddle}{0,61}${labelEnd})?`;

/** Has the `u` flag. */
export const emailPattern: RegExp = new RegExp(`^(?!\\p{M})${atom}+@${domainLabel}(?:\\.${domainLabel})*$`, "u");

export const emailStruct: Struct<string, null> = leaf("an email address", (value) => {
  if (typeof value !== "string") return "wrong_type";
  return textProblem(value, emailMaxBytes) ?? (emailPattern.test(value) ? null : "invalid_format");
});

const notTrimmed = problem("invalid_format", "Must be without white space at its ends, and without NUL.");

/** The problem with an externalId to set or to find. It is never trimmed: one with white space at its ends is refused. */
function externalIdProblem(value: unknown): Problem | null {
  if (typeof value !== "string") return "wrong_type";
  if (!/[^\s\p{White_Space}]/u.test(value)) return "too_short";
  if (/^[\s\p{White_Space}]|[\s\p{White_Space}]$|\0/u.test(value)) return notTrimmed;
  return textProblem(value, externalIdMaxBytes);
}

export const externalIdStruct: Struct<string, null> = leaf("text", externalIdProblem);

const controlCharacter = problem("invalid_format", "Must be without control characters.");

function eventKeyProblem(value: unknown): Problem | null {
  if (typeof value !== "string") return "wrong_type";
  if (value.trim() === "") return "too_short";
  return textProblem(value, eventKeyMaxBytes) ?? (/\p{Cc}/u.test(value) ? controlCharacter : null);
}

export const eventKeyStruct: Struct<string, null> = leaf("text", eventKeyProblem);

export const definitionKeyPattern: RegExp = /^[A-Za-z][A-Za-z0-9_]*$/;

export const definitionKeyStruct: Struct<string, null> = leaf(
  "a letter followed by letters, digits and underscores, of ASCII",
  (value) => {
    if (typeof value !== "string") return "wrong_type";
    if (value === "") return "too_short";
    return textProblem(value, keyMaxBytes) ?? (definitionKeyPattern.test(value) ? null : "invalid_format");
  },
);
