import { isDate } from "node:util/types";
import { define, optional, Struct } from "superstruct";
import { issueMessages, TrackerError, type Issue, type IssueCode } from "./errors.ts";
import { issuesMax, keyMaxBytes, pageLimitMax, valueMaxBytes } from "./limits.ts";
import { decodeCursor } from "./cursors.ts";
import { parseTime } from "./times.ts";
import type { PageRequest, Scalar } from "./types.ts";

/** A failure as our structs state it. Never without a message: superstruct would print the value, and throw on some. */
interface Failure {
  path: string[];
  message: IssueCode;
}

export function issue(path: string, code: IssueCode): Issue {
  return { path, code, message: issueMessages[code] };
}

/**
 * A copy of the input, each property read once (a getter may answer otherwise the second time, and the caller may change its
 * input while we wait), and everything that is wrong with it, in one list.
 */
export function check<T>(input: unknown, struct: Struct<T, null>): { value: T; issues: Issue[] } {
  const value = struct.coercer(input, { branch: [], path: [] }) as T;
  const [error] = struct.validate(value);
  const failures = error?.failures() ?? [];
  return { value, issues: failures.map(({ path, message }) => issue(path.join("."), message as IssueCode)) };
}

/** The gate that every input passes, over HTTP or not. Throws `invalid_input`. */
export function parse<T>(input: unknown, struct: Struct<T, null>): T {
  const { value, issues } = check(input, struct);
  refuse(issues);
  return value;
}

export function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new TrackerError("invalid_input", { issues: issues.slice(0, issuesMax) });
}

/** A single value: `undefined` is `required`, `null` is `not_allowed_null`, the rest is up to `check`. */
export function leaf<T>(type: string, check: (value: unknown) => IssueCode | null): Struct<T, null> {
  return define<T>(type, (value) => {
    if (value === undefined) return { message: "required" };
    if (value === null) return { message: "not_allowed_null" };
    const code = check(value);
    return code === null || { message: code };
  });
}

/** An object of exactly these fields. One that is `undefined` counts as left out, also where there is no such field. */
export function shape<T extends object>(
  type: string,
  fields: { [Key in keyof Required<T>]: Struct<T[Key], null> },
): Struct<T, null> {
  const structs = Object.entries(fields) as [string, Struct<unknown, null>][];
  return new Struct<T, null>({
    type,
    schema: null,
    coercer(value, context) {
      if (!isObject(value)) return value;
      const copy = copyOwn(value);
      for (const [key, struct] of structs) {
        // Also what is inherited: an input may be an instance of a class.
        const item = Object.hasOwn(value, key) ? copy[key] : value[key];
        if (item !== undefined) copy[key] = struct.coercer(item, context);
      }
      return copy;
    },
    validator(value, context) {
      if (!isObject(value)) return { message: value === undefined ? "required" : "wrong_type" };
      const failures: Failure[] = [];
      for (const [key, struct] of structs) {
        for (const failure of struct.validator(value[key], context)) {
          failures.push({ path: [key, ...failure.path], message: failure.message as IssueCode });
        }
      }
      for (const key of Object.keys(value)) {
        if (!Object.hasOwn(fields, key)) failures.push({ path: [key], message: "unknown_field" });
      }
      return failures.length === 0 || failures;
    },
  });
}

/** A flat map of names to values. Names are ordinary text: `__proto__` is one like any other. */
export function scalars<T extends Scalar | null>(
  type: string,
  { countMax, allowNull }: { countMax: number; allowNull: boolean },
): Struct<Record<string, T | undefined>, null> {
  return new Struct<Record<string, T | undefined>, null>({
    type,
    schema: null,
    coercer: (value) => (isPlainObject(value) ? copyOwn(value) : value),
    validator(value) {
      if (value === null) return { message: "not_allowed_null" };
      if (!isPlainObject(value)) return { message: value === undefined ? "required" : "wrong_type" };
      const failures: Failure[] = [];
      const keys = Object.keys(value);
      for (const key of keys) {
        const item = value[key];
        const code = textCode(key, keyMaxBytes) ?? (item === null && allowNull ? null : scalarCode(item));
        if (code !== null) failures.push({ path: [key], message: code });
      }
      if (keys.length > countMax) failures.push({ path: [], message: "too_long" });
      return failures.length === 0 || failures;
    },
  });
}

/** An array whose entries are each such an item. */
export function listOf<T>(
  type: string,
  item: Struct<T, null>,
  { countMin = 0, countMax = Infinity }: { countMin?: number; countMax?: number } = {},
): Struct<T[], null> {
  return new Struct<T[], null>({
    type,
    schema: null,
    coercer(value, context) {
      if (!Array.isArray(value)) return value;
      // No more is copied than it takes to refuse it. Array.from, for a hole in an array is an entry that is missing.
      const entries = (value as unknown[]).slice(0, countMax + 1);
      return Array.from(entries, (entry) => item.coercer(entry, context));
    },
    validator(value, context) {
      if (value === undefined) return { message: "required" };
      if (!Array.isArray(value)) return { message: value === null ? "not_allowed_null" : "wrong_type" };
      if (value.length < countMin) return { message: "too_short" };
      if (value.length > countMax) return { message: "too_long" };
      return value.flatMap((entry: unknown, index) =>
        [...item.validator(entry, context)].map(({ path, message }) => ({ path: [String(index), ...path], message })),
      );
    },
  });
}

/** The own properties that are not `undefined`, each read once. */
function copyOwn(value: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    if (key !== "__proto__") copy[key] = item;
    // An assignment would set the prototype.
    else Object.defineProperty(copy, key, { value: item, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** An object literal or an instance of a class; not a Map, a Date, a promise or the like, whose contents would be lost. */
function isObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** An object literal, also of another realm. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function scalarCode(value: unknown): IssueCode | null {
  if (value === null) return "not_allowed_null";
  if (typeof value === "string") return textCode(value, valueMaxBytes);
  if (typeof value === "number") return isExact(value) ? null : "out_of_range";
  return typeof value === "boolean" ? null : "wrong_type";
}

/** Whether the number reads back as it was sent: it neither overflowed nor is an integer that doubles do not hold. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** What every text must be: as short as `maxBytes` of UTF-8, and without lone surrogates, which UTF-8 cannot hold. */
export function textCode(value: string, maxBytes: number): IssueCode | null {
  // A UTF-16 unit is at most three bytes.
  if (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes) return "too_long";
  return value.isWellFormed() ? null : "invalid_format";
}

/** Text of any kind, the empty one included. */
export function text(maxBytes: number): Struct<string, null> {
  return leaf("text", (value) => (typeof value === "string" ? textCode(value, maxBytes) : "wrong_type"));
}

/** A name for people: text that is not blank. */
export function label(maxBytes: number): Struct<string, null> {
  return leaf("label", (value) => {
    if (typeof value !== "string") return "wrong_type";
    return value.trim() === "" ? "too_short" : textCode(value, maxBytes);
  });
}

/** Of at least `min` and at most `max`. */
export function wholeNumber(min: number, max: number): Struct<number, null> {
  return leaf("wholeNumber", (value) => {
    if (typeof value !== "number") return "wrong_type";
    return Number.isInteger(value) && value >= min && value <= max ? null : "out_of_range";
  });
}

/** A moment, as `parseTime` reads it. */
export const time: Struct<string | Date, null> = leaf("time", (value): IssueCode | null => {
  if (typeof value !== "string" && !isDate(value)) return "wrong_type";
  const parsed = parseTime(value);
  return typeof parsed === "string" ? parsed : null;
});

export const pageFields: { limit: Struct<number | undefined, null>; cursor: Struct<string | undefined, null> } = {
  limit: optional(wholeNumber(1, pageLimitMax)),
  cursor: optional(
    leaf<string>("cursor", (value) => {
      if (typeof value !== "string") return "wrong_type";
      return decodeCursor(value) ? null : "invalid_format";
    }),
  ),
};

export const pageRequest: Struct<PageRequest, null> = shape<PageRequest>("PageRequest", pageFields);
