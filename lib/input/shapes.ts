import { Struct, type Context } from "superstruct";
import { issue, TrackerError, type Issue, type IssueCode } from "../model/errors.ts";
import { scalarProblem, textProblem, type Failure, type Problem } from "./problems.ts";
import { issuesMax, keyMaxBytes, valueMaxBytes } from "../model/limits.ts";
import type { Scalar } from "../model/types.ts";

/** A struct of an input. Its `schema` says what the struct accepts. */
export type Input<T> = Struct<T, Accepted> & Described;

/**
 * The values that a struct accepts, in keywords of JSON Schema and in words. Structs stand for the schemas of parts. `fields` are all
 * fields of an object, `values` is every value of an object. With `optional` also `undefined` is accepted, with `nullable` `null`.
 */
export interface Accepted extends Readonly<Record<string, unknown>> {
  readonly expected?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly fields?: Readonly<Record<string, Described>>;
  readonly values?: Described;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
  readonly optional?: Described;
  readonly nullable?: Described;
}

export interface Described {
  readonly schema: Accepted;
  /** Lists failures without superstruct's generators. With them an event costs a seventh more on the memory storage. */
  readonly find: Find;
}

type Find = (value: unknown, context: Context) => readonly Failure[];

/**
 * Copies the input and lists the issues of the copy: all of them if they are fewer than `issuesMax`. Reads each property once: a
 * getter may return another value the second time, and the caller may change its input while we wait for the storage.
 */
export function check<T>(input: unknown, struct: Input<T>): { value: T; issues: Issue[] } {
  const context = { branch: [], path: [] };
  const value = struct.coercer(input, context) as T;
  const failures = struct.find(value, context);
  return {
    value,
    issues: failures.map(({ path, message, explanation }) => issue(path.join("."), message, explanation)),
  };
}

/** The issue of a value outside of a struct. */
export function issueOf(path: string, found: Problem): Issue {
  return typeof found === "string" ? issue(path, found) : issue(path, found.message, found.explanation);
}

/** A struct whose failures `find` lists. */
export function structOf<T>(schema: Accepted, coercer: Input<T>["coercer"], find: Find): Input<T> {
  return Object.assign(new Struct<T, Accepted>({ type: "input", schema, coercer, validator: find }), { find });
}

const none: readonly Failure[] = [];
const same = (value: unknown): unknown => value;

/** Accepts what the struct accepts, and `undefined`. */
export function optional<T>(struct: Input<T>): Input<T | undefined> {
  const find: Find = (value, context) => (value === undefined ? none : struct.find(value, context));
  return structOf<T | undefined>({ optional: struct }, struct.coercer, find);
}

/** Accepts what the struct accepts, and `null`. */
export function nullable<T>(struct: Input<T>): Input<T | null> {
  const find: Find = (value, context) => (value === null ? none : struct.find(value, context));
  return structOf<T | null>({ nullable: struct }, struct.coercer, find);
}

/** A field that must be left out. Its issue says why; that of an unknown field does not. */
export function leftOut(message: IssueCode, explanation: string): Input<undefined> {
  const found: Failure = { path: [], message, explanation };
  return structOf<undefined>({ not: {} }, same, (value) => (value === undefined ? none : [found]));
}

/** One of the structs. `choose` gets the fields of a value, and returns the struct for it, or a struct that refuses it. */
export function choice<T>(
  anyOf: readonly Described[],
  choose: (fields: Readonly<Record<string, unknown>>) => Described,
  coercer: Input<T>["coercer"] = same,
): Input<T> {
  return structOf<T>({ anyOf }, coercer, (value, context) =>
    choose(Object(value) as Record<string, unknown>).find(value, context),
  );
}

/** The field by which a shape was chosen. Accepts every value: the choice has already compared it with the names. */
export function chosen<Name extends string>(...names: Name[]): Input<Name> {
  return leaf<Name>("text", () => null, { type: "string", enum: names });
}

/** Adds a check of the values that the struct accepts. `keywords` describe this check, as far as JSON Schema can. */
export function refined<T>(
  struct: Input<T>,
  find: (value: T) => readonly Failure[],
  keywords: Accepted = {},
): Input<T> {
  return structOf<T>({ ...struct.schema, ...keywords }, struct.coercer, (value, context) => {
    const failures = struct.find(value, context);
    return failures.length > 0 ? failures : find(value as T);
  });
}

/** Puts the part's name before the path of its failure, so that the path starts at the whole value. */
function under(name: string, failure: Failure): Failure {
  return { ...failure, path: [name, ...failure.path] };
}

/** Validates and copies an input, whether it came over HTTP or from a method call. Throws `invalid_input`. */
export function parse<T>(input: unknown, struct: Input<T>): T {
  const { value, issues } = check(input, struct);
  refuse(issues);
  return value;
}

export function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new TrackerError("invalid_input", { issues });
}

/** A struct of one value. Reports `undefined` and `null` itself; `find` sees all others. `expected` describes the value. */
export function leaf<T>(expected: string, find: (value: unknown) => Problem | null, schema: Accepted = {}): Input<T> {
  return structOf<T>({ expected, ...schema }, same, (value) => {
    const found = absence(value) ?? find(value);
    return found === null ? none : [failureOf(found, expected)];
  });
}

function absence(value: unknown): IssueCode | null {
  if (value === undefined) return "required";
  return value === null ? "not_allowed_null" : null;
}

function failureOf(found: Problem, expected: string): Failure {
  const path: string[] = [];
  if (typeof found !== "string") return { path, ...found };
  return asTold.has(found) ? { path, message: found, explanation: `Must be ${expected}.` } : { path, message: found };
}

/** The codes whose explanation is the struct's `expected` text. */
const asTold: ReadonlySet<IssueCode> = new Set(["wrong_type", "invalid_format", "out_of_range"]);

/** An object with exactly these fields. A field that is `undefined` counts as absent, even if its name is unknown. */
export function shape<T extends object>(fields: NoInfer<{ [Key in keyof Required<T>]: Input<T[Key]> }>): Input<T> {
  const structs = Object.entries(fields) as [string, Input<unknown>][];
  const copy: Input<T>["coercer"] = (value, context) => {
    if (!isObject(value)) return value;
    const copied = copyOwn(value);
    for (const [key, struct] of structs) {
      // Reads inherited properties too: an input may be an instance of a class.
      const item = Object.hasOwn(value, key) ? copied[key] : value[key];
      if (item !== undefined) copied[key] = struct.coercer(item, context);
    }
    return copied;
  };
  return structOf<T>({ fields }, copy, (value, context) => {
    if (!isObject(value)) return [failureOf(value === undefined ? "required" : "wrong_type", "an object")];
    const failures: Failure[] = [];
    for (const [key, struct] of structs) {
      for (const failure of struct.find(value[key], context)) failures.push(under(key, failure));
    }
    for (const key of Object.keys(value)) {
      if (failures.length >= issuesMax) break;
      if (!Object.hasOwn(fields, key)) failures.push({ path: [key], message: "unknown_field" });
    }
    return failures;
  });
}

/** The bounds of the numbers that `scalarProblem` accepts: every number beyond them is whole. */
export const numberKeywords: Accepted = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Text, a number or a boolean. */
export const scalarStruct: Input<Scalar> = leaf("text, a number or a boolean", scalarProblem, {
  type: ["string", "number", "boolean"],
  maxLength: valueMaxBytes,
  ...numberKeywords,
});

/** An object of names and of values that match the struct `item`. A name can be any text, `__proto__` included. */
export function valuesByName<T, Values extends Readonly<Record<string, T | undefined>>>(
  item: Input<T>,
  countMax: number,
): Input<Values> {
  const copy: Input<Values>["coercer"] = (value, context) => {
    if (!isPlainObject(value)) return value;
    const copied = copyOwn(value);
    if (item.coercer !== same) for (const key of Object.keys(copied)) copied[key] = item.coercer(copied[key], context);
    return copied;
  };
  return structOf<Values>({ values: item, maxProperties: countMax }, copy, (value, context) => {
    if (!isPlainObject(value)) return [failureOf(absence(value) ?? "wrong_type", "an object")];
    const failures: Failure[] = [];
    const keys = Object.keys(value);
    for (const key of keys) {
      if (failures.length >= issuesMax) break;
      const found = textProblem(key, keyMaxBytes);
      const ofKey = found === null ? item.find(value[key], context) : [failureOf(found, "text")];
      for (const failure of ofKey) failures.push(under(key, failure));
    }
    if (keys.length > countMax) failures.push(tooManyEntries(countMax));
    return failures;
  });
}

/** An array in which every entry matches the struct `item`. */
export function listOf<T>(
  item: Input<T>,
  { countMin = 0, countMax = Infinity }: { countMin?: number; countMax?: number } = {},
): Input<readonly T[]> {
  const copy: Input<readonly T[]>["coercer"] = (value, context) => {
    if (!Array.isArray(value)) return value;
    // Copies one entry more than allowed, enough to refuse the list. Array.from turns holes into `undefined` entries.
    const entries = (value as unknown[]).slice(0, countMax + 1);
    return Array.from(entries, (entry) => item.coercer(entry, context));
  };
  const schema = { items: item, minItems: countMin, maxItems: countMax };
  return structOf<readonly T[]>(schema, copy, (value, context) => {
    if (!Array.isArray(value)) return [failureOf(absence(value) ?? "wrong_type", "a list")];
    if (value.length < countMin) return [failureOf("empty_list", "a list")];
    if (value.length > countMax) return [tooManyEntries(countMax)];
    return value.flatMap((entry: unknown, index) =>
      item.find(entry, context).map((failure) => under(String(index), failure)),
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
