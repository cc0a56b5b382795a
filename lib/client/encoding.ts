import { inputDepthMax } from "../model/limits.ts";
import { inputIssue, TrackerError, type InputIssueCode, type Issue } from "../model/errors.ts";

/** The path of a route with these values, percent-encoded. Throws `invalid_input` with the names of the parameters. */
export function pathOf(path: string, values: readonly unknown[]): string {
  const issues: Issue[] = [];
  const left = [...values];
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = left.shift();
    const problem = segmentProblem(value);
    if (problem === null) return encodeURIComponent(value as string);
    issues.push(inputIssue(name, problem));
    return "";
  });
  if (issues.length > 0) throw new TrackerError("invalid_input", { issues });
  return filled;
}

function segmentProblem(value: unknown): InputIssueCode | null {
  if (value === undefined) return "required";
  if (value === null) return "not_allowed_null";
  if (typeof value !== "string") return "wrong_type";
  // An empty segment would address the list.
  if (value === "") return "too_short";
  // Lone surrogates cannot be encoded, and URL parsers remove the segments `.` and `..`.
  return !value.isWellFormed() || value === "." || value === ".." ? "invalid_format" : null;
}

/** A query of these parameters, with its question mark; empty if there are none. Throws `invalid_input`. */
export function queryOf(parameters: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(toObject(parameters))) {
    if (value === undefined) continue;
    const sent = name === "from" || name === "to" ? copy(value, [name]) : value;
    if (typeof sent !== (parameterTypes[name] ?? "string")) throw wrongType(name, value);
    // `URLSearchParams` would replace a lone surrogate.
    if (typeof sent === "string" && !sent.isWellFormed()) throw invalid(name, "invalid_format");
    query.append(name, String(sent as string | number | boolean));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** The parameters that are no texts. The server reads "10" as a number; a method does not. */
const parameterTypes: Readonly<Record<string, string>> = {
  limit: "number",
  wait: "number",
  total: "boolean",
  days: "number",
  hours: "number",
  minutes: "number",
};

/** The input as JSON. Throws `invalid_input` for a value that JSON would change or omit. */
export function toJson(input: unknown): string {
  return JSON.stringify(copy(input, []));
}

function copy(value: unknown, path: readonly string[]): unknown {
  const refuse = (problem: InputIssueCode): never => {
    throw invalid(path.join("."), problem);
  };
  if (value === undefined) return refuse("required");
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return value.isWellFormed() ? value : refuse("invalid_format");
  if (typeof value === "number") return Number.isFinite(value) ? value : refuse("out_of_range");
  // Only an input that contains itself is so deep.
  if (path.length > inputDepthMax) return refuse("wrong_type");
  if (Array.isArray(value)) return Array.from(value, (item, index) => copy(item, [...path, String(index)]));
  if (isPlain(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([key, item]) => [key, copy(item, [...path, key])]));
  }
  const milliseconds = timeOf(value);
  if (milliseconds === null) return refuse("wrong_type");
  if (Number.isNaN(milliseconds)) return refuse("invalid_format");
  const text = new Date(milliseconds).toISOString();
  // Years of more than four digits have a sign, which no date-time of the API has.
  return /^\d{4}-/.test(text) ? text : refuse("out_of_range");
}

/** The time of a `Date`, of this realm or another; `null` for any other value. */
function timeOf(value: unknown): number | null {
  try {
    return Date.prototype.getTime.call(value);
  } catch {
    return null;
  }
}

/** Returns the value, which must be an object literal. `undefined` stands for an empty one. */
export function toObject(value: unknown = {}): Record<string, unknown> {
  if (!isPlain(value)) throw invalid("", "wrong_type");
  return value;
}

/** Whether the value is an object literal. JSON leaves out what an instance of a class inherits. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function wrongType(name: string, value: unknown): TrackerError {
  return invalid(name, value === null ? "not_allowed_null" : "wrong_type");
}

export function invalid(path: string, problem: InputIssueCode): TrackerError {
  return new TrackerError("invalid_input", { issues: [inputIssue(path, problem)] });
}
