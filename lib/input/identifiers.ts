/** Structs of emails (which `foldEmail` of `model/emails.ts` lowers), externalIds, event keys and definition keys. */
import { emailMaxBytes, eventKeyMaxBytes, externalIdMaxBytes, keyMaxBytes } from "../model/limits.ts";
import { blankProblem, textOf } from "./fields.ts";
import { problem } from "./problems.ts";
import type { Input } from "./shapes.ts";

// The grammar of `<input type=email>` in the HTML standard. It also allows letters beyond ASCII and their combining marks.
// A mark needs a letter before it: one at the beginning would join the text before the email, or the `@`.
const emailPattern = new RegExp(
  emailOf({
    before: String.raw`(?!\p{M})`,
    atom: String.raw`[a-zA-Z0-9.!#$%&'*+/=?^_\x60{|}~\-\p{L}\p{M}]`,
    end: String.raw`[a-zA-Z0-9\p{L}\p{M}]`,
    middle: String.raw`[a-zA-Z0-9\-\p{L}\p{M}]`,
  }),
  // For `\p{…}`.
  "u",
);

// For clients whose patterns do not know \p: every character beyond ASCII counts as a letter.
const looserPattern = emailOf({
  before: "",
  atom: String.raw`[^\x00-\x20"(),:;<>@\[\\\]\x7f]`,
  end: String.raw`[^\x00-\x2f:-@\[-\x60{-\x7f]`,
  middle: String.raw`[^\x00-\x2c./:-@\[-\x60{-\x7f]`,
});

function emailOf({ before, atom, end, middle }: Record<"before" | "atom" | "end" | "middle", string>): string {
  const label = `${before}${end}(?:${middle}{0,61}${end})?`;
  return `^${before}${atom}+@${label}(?:\\.${label})*$`;
}

export const emailStruct: Input<string> = textOf(
  "an email address",
  emailMaxBytes,
  (value) => (emailPattern.test(value) ? null : "invalid_format"),
  { pattern: looserPattern },
);

const notTrimmed = problem("invalid_format", "Must be without white space at its ends, and without NUL.");

// For clients, whose patterns do not know \p{White_Space} either.
const trimmedEnd = "[^\\s\\x00\\x85]";
const trimmedPattern = `^${trimmedEnd}(?:[^\\x00]*${trimmedEnd})?$`;

/** An externalId to set or to find. It is never trimmed: one with white space at its ends is refused. */
export const externalIdStruct: Input<string> = textOf(
  "text",
  externalIdMaxBytes,
  (value) => {
    if (!/[^\s\p{White_Space}]/u.test(value)) return "too_short";
    return /^[\s\p{White_Space}]|[\s\p{White_Space}]$|\0/u.test(value) ? notTrimmed : null;
  },
  { minLength: 1, pattern: trimmedPattern },
);

const control = String.raw`\x00-\x1f\x7f-\x9f`;
const visible = `[^${control}]`;
const controlCharacter = problem("invalid_format", "Must be without control characters.");

export const eventKeyStruct: Input<string> = textOf(
  "text",
  eventKeyMaxBytes,
  (value) => blankProblem(value) ?? (/\p{Cc}/u.test(value) ? controlCharacter : null),
  // The white space before the first other character. With `visible` for it, a long text would take quadratic time.
  { minLength: 1, pattern: `^[^\\S${control}]*[^\\s${control}]${visible}*$` },
);

const definitionKeyPattern = /^[A-Za-z][A-Za-z0-9_]*$/;

export const definitionKeyStruct: Input<string> = textOf(
  "a letter followed by letters, digits and underscores, of ASCII",
  keyMaxBytes,
  (value) => {
    if (value === "") return "too_short";
    return definitionKeyPattern.test(value) ? null : "invalid_format";
  },
  { pattern: definitionKeyPattern.source },
);
