import { UsageError } from "../settings.ts";
import { fields, formats, ignored, type Kind, type Mapping } from "./formats.ts";
import { timeOf } from "./values.ts";

/** The result of mapping a row: an item to write, and the paths of the values that are left out of it. */
export interface Mapped {
  item: Record<string, unknown>;
  leftOut: string[];
}

export interface Mapper {
  /** `null` for a row of another kind in the same file. */
  map(row: Record<string, unknown>): Mapped | null;
  /** The paths that `--map` names. */
  needed: readonly string[];
}

const objects: readonly string[] = ["customAttributes", "properties"];
const times: readonly string[] = ["createdAt", "signedUpAt"];
/** Fields that may be nested. Their values are validated where they are used. */
const whole: readonly string[] = ["completions", "dismissals"];

/** Reads `--map` and `--format`. Throws a `UsageError` for an unknown field or format. */
export function createMapper(kind: Kind, formatName: string | undefined, maps: readonly string[]): Mapper {
  const format = formatName === undefined ? { fields: fields[kind] } : formats[formatName]?.[kind];
  if (!format) throw new UsageError(`--format takes ${Object.keys(formats).join(", ")}.`);
  const mapped = readMaps(kind, maps);
  const mapping = { ...format.fields, ...mapped };
  const steps = Object.entries(mapping).map(([field, path]) => stepOf(field, path, mapping));
  const roots = new Set(Object.values(mapping).flatMap((path) => [path, path.split(".")[0]]));
  const only = "only" in format ? format.only : undefined;
  const isKnown = (name: string): boolean =>
    formatName !== undefined || roots.has(name) || ignored[kind].includes(name);
  return {
    map(row) {
      if (only && valueAt(row, only.path) !== only.value) return null;
      const result = { item: {}, leftOut: Object.keys(row).filter((name) => !isKnown(name)) };
      for (const step of steps) step(row, result);
      return result;
    },
    needed: Object.values(mapped),
  };
}

function readMaps(kind: Kind, maps: readonly string[]): Mapping {
  const pairs = maps.flatMap((map) => map.split(",")).map((pair) => pair.split(/=(.*)/s) as [string, string?]);
  for (const [field, path = ""] of pairs) {
    if (path === "") throw new UsageError("--map takes FIELD=COLUMN, and more of them after commas.");
    const [root = "", ...rest] = field.split(".");
    const isField =
      Object.hasOwn(fields[kind], root) && (rest.length === 0 || (rest.length === 1 && objects.includes(root)));
    if (!isField) throw new UsageError(`--map: ${kind} have the fields ${Object.keys(fields[kind]).join(", ")}.`);
  }
  return Object.fromEntries(pairs as [string, string][]);
}

type Step = (row: Record<string, unknown>, mapped: Mapped) => void;

function stepOf(field: string, path: string, mapping: Mapping): Step {
  if (objects.includes(field)) return objectStep(field, path, mapping);
  const [root = "", key] = field.split(".");
  return (row, { item, leftOut }) => {
    const value = valueAt(row, path);
    if (value === undefined) return;
    if (isNested(value) && !whole.includes(field)) leftOut.push(field);
    else if (key !== undefined) objectIn(item, root)[key] = value;
    else item[field] = times.includes(field) ? timeOf(value) : value;
  };
}

/** Copies the scalar values of an object, except those that the mapping reads into another field. */
function objectStep(field: string, path: string, mapping: Mapping): Step {
  const elsewhere = new Set(Object.values(mapping).filter((other) => other !== path));
  return (row, { item, leftOut }) => {
    const value = fromJson(valueAt(row, path));
    if (value === undefined) return;
    if (!isNested(value) || Array.isArray(value)) {
      item[field] = value;
      return;
    }
    const values = objectIn(item, field);
    for (const [name, inside] of Object.entries(value)) {
      if (elsewhere.has(`${path}.${name}`)) continue;
      if (inside === null || isNested(inside)) leftOut.push(`${field}.${name}`);
      else values[name] ??= inside;
    }
  };
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** An object without a prototype: a column can have any name. */
function objectIn(item: Record<string, unknown>, field: string): Record<string, unknown> {
  return (item[field] ??= Object.create(null)) as Record<string, unknown>;
}

/** The value of the field whose name is the whole path, if there is one. Otherwise the value along the path. */
function valueAt(row: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  let value: unknown = row;
  for (const name of path.split(".")) {
    const object = fromJson(value);
    if (!isNested(object) || !Object.hasOwn(object, name)) return undefined;
    value = (object as Record<string, unknown>)[name];
  }
  return value;
}

/** Parses a text that is an object in JSON, as in a cell of CSV. Returns every other value unchanged. */
function fromJson(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
