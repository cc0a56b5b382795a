/** Structs of fields that several inputs share: texts, whole numbers, times and URLs. */
import { isDate } from "node:util/types";
import { parseTime } from "../model/times.ts";
import { problem, textProblem, type Problem } from "./problems.ts";
import { leaf, type Accepted, type Input } from "./shapes.ts";

/** Text of at most `maxBytes`. `find` finds other problems of a text that is not too long. */
export function textOf(
  expected: string,
  maxBytes: number,
  find: (value: string) => Problem | null = () => null,
  keywords: Accepted = {},
): Input<string> {
  const findAny = (value: unknown): Problem | null =>
    typeof value === "string" ? (textProblem(value, maxBytes) ?? find(value)) : "wrong_type";
  return leaf(expected, findAny, { type: "string", maxLength: maxBytes, ...keywords });
}

/** Any text, including the empty one. */
export function text(maxBytes: number): Input<string> {
  return textOf("text", maxBytes);
}

export function blankProblem(value: string): Problem | null {
  return value.trim() === "" ? "too_short" : null;
}

/** A name for people: text that is not blank. */
export function label(maxBytes: number): Input<string> {
  return textOf("text", maxBytes, blankProblem, { minLength: 1, pattern: String.raw`\S` });
}

/** For languages whose whole numbers have 32 bits unless told otherwise. */
const wide = { format: "int64" };

/** A whole number from `min` to `max`, both included. */
export function wholeNumber(min: number, max: number): Input<number> {
  const find = (value: unknown): Problem | null => {
    if (typeof value !== "number") return "wrong_type";
    return Number.isInteger(value) && value >= min && value <= max ? null : "out_of_range";
  };
  const bounds = { minimum: min, maximum: max, ...(max >= 2 ** 31 && wide) };
  return leaf(`a whole number from ${min} to ${max}`, find, { type: "integer", ...bounds });
}

/** A number above 0 and up to `max`. */
export function positiveNumber(max: number): Input<number> {
  return leaf(`a number above 0, up to ${max}`, (value) => {
    if (typeof value !== "number") return "wrong_type";
    return value > 0 && value <= max ? null : "out_of_range";
  });
}

/** One of the values, which are all of one type. */
export function among<Value>(
  expected: string,
  values: readonly Value[],
  keywords: Accepted = { type: typeof values[0], enum: values },
): Input<Value> {
  const find = (value: unknown): Problem | null => {
    if (typeof value !== typeof values[0]) return "wrong_type";
    return values.some((one) => one === value) ? null : "invalid_format";
  };
  return leaf<Value>(expected, find, keywords);
}

export const flag: Input<boolean> = among("true or false", [true, false], { type: "boolean" });

/** One of the names. */
export function oneOf<Name extends string>(names: readonly Name[]): Input<Name> {
  return among<Name>(`${names.slice(0, -1).join(", ")} or ${names.at(-1)}`, names);
}

/** The problem with a point in time, or `null` if `parseTime` can read it. */
function timeProblem(value: unknown): Problem | null {
  if (typeof value !== "string" && !isDate(value)) return "wrong_type";
  const parsed = parseTime(value);
  if (parsed === "out_of_range") return problem(parsed, "Must lie in the years 0001 to 9999, in UTC.");
  return typeof parsed === "string" ? parsed : null;
}

export const timeStruct: Input<string | Date> = leaf(
  "a date-time with a zone, such as 2026-01-31T09:00:00Z",
  timeProblem,
  { type: "string", format: "date-time" },
);

/** A link that cannot run a script. The URL parser ignores some control characters, as a browser does. */
export function link(maxBytes: number): Input<string> {
  const base = "https://host";
  const isLink = (value: string): boolean =>
    URL.canParse(value, base) && /^https?:$/.test(new URL(value, base).protocol);
  return patternOf("a relative or http(s) URL without spaces", maxBytes, /^\S+$/, isLink);
}

/** URL.canParse alone accepts `https:host` without slashes, and ignores white space that the stored text would keep. */
export function url(maxBytes: number): Input<string> {
  return patternOf("an absolute http(s) URL", maxBytes, /^[Hh][Tt]{2}[Pp][Ss]?:\/\/\S+$/, URL.canParse);
}

/** Text that matches a pattern, and then passes a check that no pattern can say. */
function patternOf(
  expected: string,
  maxBytes: number,
  pattern: RegExp,
  isValid: (value: string) => boolean,
): Input<string> {
  const find = (value: string): Problem | null => (pattern.test(value) && isValid(value) ? null : "invalid_format");
  return textOf(expected, maxBytes, find, { pattern: pattern.source });
}
