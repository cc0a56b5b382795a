import { define, Struct, type Context, type Failure as StructFailure } from "superstruct";
import { issue, TrackerError, type Issue, type IssueCode } from "../errors.ts";
import { keyMaxBytes, valueMaxBytes } from "../limits.ts";
import type { Scalar } from "../types.ts";

/** A failure as our structs state it. Never without a message: superstruct would print the value, and throw on some. */
export interface Failure {
  path: string[];
  message: IssueCode;
  /** What is expected, in words; absent where the code says enough. */
  explanation?: string;
}

/** What is wrong with a value; a code alone stands for what the struct expects. */
export type Problem = IssueCode | Omit<Failure, "path">;

export function problem(message: IssueCode, explanation: string): Problem {
  return { message, explanation };
}

/**
 * A copy of the input, each property read once (a getter may answer otherwise the second time, and the caller may change its
 * input while we wait), and everything that is wrong with it, in one list.
 */
export function check<T>(input: unknown, struct: Struct<T, null>): { value: T; issues: Issue[] } {
  const context = { branch: [], path: [] };
  const value = struct.coercer(input, context) as T;
  const failures = failuresOf(struct, value, context);
  return {
    value,
    issues: failures.map(({ path, message, explanation }) => issue(path.join("."), message, explanation)),
  };
}

/** What another struct finds wrong with the value, for a struct that hands it on. */
export function failuresOf<T>(struct: Struct<T, null>, value: unknown, context: Context): Failure[] {
  return Array.from(struct.validator(value, context), (failure) => under([], failure));
}

/** A failure of a part, its path from the whole. */
function under(names: readonly string[], { path, message, explanation }: StructFailure): Failure {
  const failure = { path: [...names, ...(path as string[])], message: message as IssueCode };
  return explanation === undefined ? failure : { ...failure, explanation };
}

/** The gate that every input passes, over HTTP or not. Throws `invalid_input`. */
export function parse<T>(input: unknown, struct: Struct<T, null>): T {
  const { value, issues } = check(input, struct);
  refuse(issues);
  return value;
}

export function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new TrackerError("invalid_input", { issues });
}

/** A single value: `undefined` is `required`, `null` is `not_allowed_null`, the rest is up to `check`. `expected` is in words. */
export function leaf<T>(expected: string, check: (value: unknown) => Problem | null): Struct<T, null> {
  return define<T>(expected, (value) => {
    if (value === undefined) return { message: "required" };
    if (value === null) return { message: "not_allowed_null" };
    const found = check(value);
    return found === null || failureOf(found, expected);
  });
}

function failureOf(found: Problem, expected: string): Omit<Failure, "path"> {
  if (typeof found !== "string") return found;
  return asTold.has(found) ? { message: found, explanation: `Must be ${expected}.` } : { message: found };
}

/** The codes that what is expected explains. */
const asTold: ReadonlySet<IssueCode> = new Set(["wrong_type", "invalid_format", "out_of_range"]);

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
      if (!isObject(value)) return value === undefined ? { message: "required" } : failureOf("wrong_type", "an object");
      const failures: Failure[] = [];
      for (const [key, struct] of structs) {
        for (const failure of struct.validator(value[key], context)) failures.push(under([key], failure));
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
      if (!isPlainObject(value)) {
        return value === undefined ? { message: "required" } : failureOf("wrong_type", "an object");
      }
      const failures: Failure[] = [];
      const keys = Object.keys(value);
      for (const key of keys) {
        const item = value[key];
        const found = textProblem(key, keyMaxBytes) ?? (item === null && allowNull ? null : scalarProblem(item));
        if (found !== null) failures.push({ path: [key], ...failureOf(found, "text, a number or a boolean") });
      }
      if (keys.length > countMax) failures.push({ path: [], ...tooManyEntries(countMax) });
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
      if (value === null) return { message: "not_allowed_null" };
      if (!Array.isArray(value)) return failureOf("wrong_type", "a list");
      if (value.length < countMin) return { message: "empty_list" };
      if (value.length > countMax) return tooManyEntries(countMax);
      return value.flatMap((entry: unknown, index) =>
        Array.from(item.validator(entry, context), (failure) => under([String(index)], failure)),
      );
    },
  });
}

function tooManyEntries(countMax: number): Omit<Failure, "path"> {
  return { message: "too_long", explanation: `Too long: at most ${countMax} entries.` };
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

function scalarProblem(value: unknown): Problem | null {
  if (value === null) return "not_allowed_null";
  if (typeof value === "string") return textProblem(value, valueMaxBytes);
  if (typeof value === "number") return isExact(value) ? null : notExact;
  return typeof value === "boolean" ? null : "wrong_type";
}

const notExact = problem("out_of_range", "Must be a finite number and, when whole, between -(2^53 - 1) and 2^53 - 1.");

/** Whether the number reads back as it was sent: it neither overflowed nor is an integer that doubles do not hold. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** What every text must be: as short as `maxBytes` of UTF-8, and without lone surrogates, which UTF-8 cannot hold. */
export function textProblem(value: string, maxBytes: number): Problem | null {
  // A UTF-16 unit is at most three bytes.
  if (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes) {
    return problem("too_long", `Too long: at most ${maxBytes} bytes of UTF-8.`);
  }
  return value.isWellFormed() ? null : loneSurrogate;
}

const loneSurrogate = problem("invalid_format", "Must be text without lone surrogates, which UTF-8 cannot hold.");
