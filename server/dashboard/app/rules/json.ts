import { positionOfError } from "../../../json-position.ts";

/** The rule as indented JSON. */
export function toJson(rule: unknown): string {
  return JSON.stringify(rule, null, 2);
}

/** The value in TypeScript. A line cannot begin inside a text, because JSON escapes the ends of lines. */
export function toCode(value: unknown): string {
  return toJson(value).replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}

/** A value as indented JSON with its fields sorted, because databases return the fields of JSON in an order of their own. */
export function toSortedJson(value: object | null): string {
  const sorted = (_: string, part: unknown): unknown => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const names = Object.keys(part).toSorted();
    return Object.fromEntries(names.map((name) => [name, (part as Record<string, unknown>)[name]]));
  };
  return JSON.stringify(value, sorted, 2);
}

export type Parsed = { rule: unknown; problem: null } | { rule: null; problem: string };

/** The value of a JSON text, or what is wrong with the text, and where. */
export function parseJson(text: string): Parsed {
  try {
    return { rule: JSON.parse(text) as unknown, problem: null };
  } catch {
    return { rule: null, problem: problemIn(text) };
  }
}

function problemIn(text: string): string {
  const { index, line, column } = positionOfError(text);
  const position = `line ${line}, column ${column}`;
  const found = String.fromCodePoint(text.codePointAt(index) ?? 0);
  return index === text.length
    ? `This is not JSON yet: it ends too early, at ${position}.`
    : `This is not JSON yet: look at “${found}” at ${position}.`;
}
