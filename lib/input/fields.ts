/** Structs of fields that several inputs share: texts, whole numbers, times and URLs. */
import { isDate } from "node:util/types";
import { Struct } from "superstruct";
import { parseTime } from "../model/times.ts";
import { leaf, problem, textProblem, type Problem } from "./shapes.ts";

/** Any text, including the empty one. */
export function text(maxBytes: number): Struct<string, null> {
  return leaf("text", (value) => (typeof value === "string" ? textProblem(value, maxBytes) : "wrong_type"));
}

/** A name for people: text that is not blank. */
export function label(maxBytes: number): Struct<string, null> {
  return leaf("text", (value) => {
    if (typeof value !== "string") return "wrong_type";
    return value.trim() === "" ? "too_short" : textProblem(value, maxBytes);
  });
}

/** A whole number from `min` to `max`, both included. */
export function wholeNumber(min: number, max: number): Struct<number, null> {
  return leaf(`a whole number from ${min} to ${max}`, (value) => {
    if (typeof value !== "number") return "wrong_type";
    return Number.isInteger(value) && value >= min && value <= max ? null : "out_of_range";
  });
}

/** A number above 0 and up to `max`. */
export function positiveNumber(max: number): Struct<number, null> {
  return leaf(`a number above 0, up to ${max}`, (value) => {
    if (typeof value !== "number") return "wrong_type";
    return value > 0 && value <= max ? null : "out_of_range";
  });
}

export const flag: Struct<boolean, null> = leaf("true or false", (value) =>
  typeof value === "boolean" ? null : "wrong_type",
);

/** One of the names. */
export function oneOf<Name extends string>(names: readonly Name[]): Struct<Name, null> {
  return leaf<Name>(`${names.slice(0, -1).join(", ")} or ${names.at(-1)}`, (value) => {
    if (typeof value !== "string") return "wrong_type";
    return names.some((name) => name === value) ? null : "invalid_format";
  });
}

/** The problem with a point in time, or `null` if `parseTime` can read it. */
function timeProblem(value: unknown): Problem | null {
  if (typeof value !== "string" && !isDate(value)) return "wrong_type";
  const parsed = parseTime(value);
  if (parsed === "out_of_range") return problem(parsed, "Must lie in the years 0001 to 9999, in UTC.");
  return typeof parsed === "string" ? parsed : null;
}

export const timeStruct: Struct<string | Date, null> = leaf(
  "a date-time with a zone, such as 2026-01-31T09:00:00Z",
  timeProblem,
);

/** A link that cannot run a script. The URL parser judges it as a browser does, which ignores some control characters. */
export function link(maxBytes: number): Struct<string, null> {
  return leaf<string>("a relative or http(s) URL without spaces", (value) => {
    if (typeof value !== "string") return "wrong_type";
    const base = "https://host";
    const isLink = /^\S+$/.test(value) && URL.canParse(value, base) && /^https?:$/.test(new URL(value, base).protocol);
    return textProblem(value, maxBytes) ?? (isLink ? null : "invalid_format");
  });
}

export function url(maxBytes: number): Struct<string, null> {
  return leaf<string>("an absolute http(s) URL", (value) => {
    if (typeof value !== "string") return "wrong_type";
    // URL.canParse alone accepts `https:host` without slashes, and ignores white space that the stored text would keep.
    const absolute = /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
    return textProblem(value, maxBytes) ?? (absolute ? null : "invalid_format");
  });
}
