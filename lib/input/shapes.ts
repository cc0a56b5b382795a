import { Struct, type Context, type Failure as StructFailure } from "superstruct";
import { issue, TrackerError, type Issue, type IssueCode } from "../model/errors.ts";
import { issuesMax, keyMaxBytes, valueMaxBytes } from "../model/limits.ts";
import type { Scalar } from "../model/types.ts";

/** A failure in our structs. Always has a message: superstruct's default contains the value, and throws for some values. */
export interface Failure {
  path: string[];
  message: IssueCode;
  /** Describes the expected value in words; absent if the code alone is clear. */
  explanation?: string;
}

/** The problem with a value. If it is only a code, the explanation comes from the struct. */
export type Problem = IssueCode | Omit<Failure, "path">;

export function problem(message: IssueCode, explanation: string): Problem {
  return { message, explanation };
}

/**
 * Copies the input and lists the issues of the copy: all of them if they are fewer than `issuesMax`. Reads each property once: a
 * getter may return another value the second time, and the caller may change its input while we wait for the storage.
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

/** Lists the failures that a struct finds in the value. */
export function failuresOf<T>(struct: Struct<T, null>, value: unknown, context: Context): readonly Failure[] {
  const find = finders.get(struct);
  return find ? find(value, context) : Array.from(struct.validator(value, context), (failure) => under([], failure));
}

type Find = (value: unknown, context: Context) => readonly Failure[];

/** Superstruct's own generators, one per value and field, make an event cost a seventh more on the memory storage. */
const finders = new WeakMap<object, Find>();

/** A struct whose failures `find` lists. */
function structOf<T>(type: string, coercer: Struct<T, null>["coercer"], find: Find): Struct<T, null> {
  const struct = new Struct<T, null>({ type, schema: null, coercer, validator: find });
  finders.set(struct, find);
  return struct;
}

const none: readonly Failure[] = [];

/** The struct, or nothing. */
export function optional<T>(struct: Struct<T, null>): Struct<T | undefined, null> {
  const find: Find = (value, context) => (value === undefined ? none : failuresOf(struct, value, context));
  return structOf<T | undefined>(struct.type, struct.coercer, find);
}

/** The struct, or `null`. */
export function nullable<T>(struct: Struct<T, null>): Struct<T | null, null> {
  const find: Find = (value, context) => (value === null ? none : failuresOf(struct, value, context));
  return structOf<T | null>(struct.type, struct.coercer, find);
}

/** A field that must be left out. Unlike an unknown field, it says why. */
export function leftOut(message: IssueCode, explanation: string): Struct<undefined, null> {
  const found: Failure = { path: [], message, explanation };
  const find: Find = (value) => (value === undefined ? none : [found]);
  return structOf<undefined>("nothing", (value) => value, find);
}

/** Moves a failure of a part under the given names, so that its path starts at the whole. */
function under(names: readonly string[], { path, message, explanation }: StructFailure | Failure): Failure {
  const failure = { path: [...names, ...(path as string[])], message: message as IssueCode };
  return explanation === undefined ? failure : { ...failure, explanation };
}

/** Validates and copies an input, whether it came over HTTP or from a method call. Throws `invalid_input`. */
export function parse<T>(input: unknown, struct: Struct<T, null>): T {
  const { value, issues } = check(input, struct);
  refuse(issues);
  return value;
}

export function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new TrackerError("invalid_input", { issues });
}

/** A struct of one value. Reports `undefined` and `null` itself; `find` sees all others. `expected` describes the value. */
export function leaf<T>(expected: string, find: (value: unknown) => Problem | null): Struct<T, null> {
  return structOf<T>(
    expected,
    (value) => value,
    (value) => {
      const found = absence(value) ?? find(value);
      return found === null ? none : [failureOf(found, expected)];
    },
  );
}

function absence(value: unknown): IssueCode | null {
  if (value === undefined) return "required";
  return value === null ? "not_allowed_null" : null;
}

function failureOf(found: Problem, expected: string, path: string[] = []): Failure {
  if (typeof found !== "string") return { path, ...found };
  return asTold.has(found) ? { path, message: found, explanation: `Must be ${expected}.` } : { path, message: found };
}

/** The codes whose explanation is the struct's `expected` text. */
const asTold: ReadonlySet<IssueCode> = new Set(["wrong_type", "invalid_format", "out_of_range"]);

/** An object with exactly these fields. A field that is `undefined` counts as absent, even if its name is unknown. */
export function shape<T extends object>(
  type: string,
  fields: { [Key in keyof Required<T>]: Struct<T[Key], null> },
): Struct<T, null> {
  const structs = Object.entries(fields) as [string, Struct<unknown, null>][];
  const copy: Struct<T, null>["coercer"] = (value, context) => {
    if (!isObject(value)) return value;
    const copied = copyOwn(value);
    for (const [key, struct] of structs) {
      // Reads inherited properties too: an input may be an instance of a class.
      const item = Object.hasOwn(value, key) ? copied[key] : value[key];
      if (item !== undefined) copied[key] = struct.coercer(item, context);
    }
    return copied;
  };
  return structOf<T>(type, copy, (value, context) => {
    if (!isObject(value)) return [failureOf(value === undefined ? "required" : "wrong_type", "an object")];
    const failures: Failure[] = [];
    for (const [key, struct] of structs) {
      for (const failure of failuresOf(struct, value[key], context)) failures.push(under([key], failure));
    }
    for (const key of Object.keys(value)) {
      if (failures.length >= issuesMax) break;
      if (!Object.hasOwn(fields, key)) failures.push({ path: [key], message: "unknown_field" });
    }
    return failures;
  });
}

/** An object of names and scalar values. A name can be any text, `__proto__` included. */
export function scalars<T extends Scalar | null>(
  type: string,
  { countMax, allowNull }: { countMax: number; allowNull: boolean },
): Struct<Record<string, T | undefined>, null> {
  const find = (item: unknown): Problem | null => (item === null && allowNull ? null : scalarProblem(item));
  return valuesByName(type, "text, a number or a boolean", find, countMax);
}

/** An object of names and values. `expected` describes a value, and `find` checks it. A name can be any text. */
export function valuesByName<T>(
  type: string,
  expected: string,
  find: (item: unknown) => Problem | null,
  countMax: number,
): Struct<Record<string, T>, null> {
  const copy = (value: unknown): unknown => (isPlainObject(value) ? copyOwn(value) : value);
  return structOf<Record<string, T>>(type, copy, (value) => {
    if (!isPlainObject(value)) return [failureOf(absence(value) ?? "wrong_type", "an object")];
    const failures: Failure[] = [];
    const keys = Object.keys(value);
    for (const key of keys) {
      if (failures.length >= issuesMax) break;
      const found = textProblem(key, keyMaxBytes) ?? find(value[key]);
      if (found !== null) failures.push(failureOf(found, expected, [key]));
    }
    if (keys.length > countMax) failures.push(tooManyEntries(countMax));
    return failures;
  });
}

/** An array in which every entry matches the struct `item`. */
export function listOf<T>(
  type: string,
  item: Struct<T, null>,
  { countMin = 0, countMax = Infinity }: { countMin?: number; countMax?: number } = {},
): Struct<T[], null> {
  const copy: Struct<T[], null>["coercer"] = (value, context) => {
    if (!Array.isArray(value)) return value;
    // Copies one entry more than allowed, enough to refuse the list. Array.from turns holes into `undefined` entries.
    const entries = (value as unknown[]).slice(0, countMax + 1);
    return Array.from(entries, (entry) => item.coercer(entry, context));
  };
  return structOf<T[]>(type, copy, (value, context) => {
    if (!Array.isArray(value)) return [failureOf(absence(value) ?? "wrong_type", "a list")];
    if (value.length < countMin) return [failureOf("empty_list", "a list")];
    if (value.length > countMax) return [tooManyEntries(countMax)];
    return value.flatMap((entry: unknown, index) =>
      failuresOf(item, entry, context).map((failure) => under([String(index)], failure)),
    );
  });
}

function tooManyEntries(countMax: number): Failure {
  return { path: [], message: "too_long", explanation: `Too long: at most ${countMax} entries.` };
}

/** Copies the own properties that are not `undefined`. Reads each of them once. */
function copyOwn(value: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    if (key !== "__proto__") copy[key] = item;
    // Assigning to `__proto__` would set the prototype.
    else Object.defineProperty(copy, key, { value: item, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** Whether the value is an object literal or an instance of a class. A Map, Date or Promise would be copied empty. */
function isObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** Whether the value is an object literal, of this realm (`vm` context) or another. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
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
