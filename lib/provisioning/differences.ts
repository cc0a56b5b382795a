/** How a stored definition, or an item of a checklist, differs from the listed one. */
import { isDeepStrictEqual } from "node:util";
import { valueShownMaxCharacters } from "../model/limits.ts";

export interface Differences {
  /** The names of the fields that differ; `order` if a checklist has its items in another order. */
  fields: string[];
  /** The changes of these fields, such as `properties.total: number -> text`. Long values are cut. */
  changes: string[];
}

export const none: Differences = { fields: [], changes: [] };

/** Compares the JSON that is or would be stored: a field that is `undefined` equals none. Leaves out the items of a checklist. */
export function differencesOf(before: object, after: object): Differences {
  const [stored, listed] = [before, after].map((body) => JSON.parse(JSON.stringify(body)) as Record<string, unknown>);
  const fields = Object.keys({ ...stored, ...listed }).filter(
    (name) => name !== "items" && !isDeepStrictEqual(stored?.[name], listed?.[name]),
  );
  return { fields, changes: fields.flatMap((name) => changesOf(name, stored?.[name], listed?.[name])) };
}

function changesOf(path: string, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (partsOf(before) === null || partsOf(before) !== partsOf(after))
    return [`${path}: ${shown(before)} -> ${shown(after)}`];
  const [stored, listed] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys({ ...stored, ...listed }).flatMap((name) =>
    changesOf(`${path}.${name}`, stored[name], listed[name]),
  );
}

/** Two values are compared part by part if both are objects, or lists of one length. */
function partsOf(value: unknown): number | "named" | null {
  if (Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? "named" : null;
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > valueShownMaxCharacters ? `${text.slice(0, valueShownMaxCharacters)}…` : text;
}
