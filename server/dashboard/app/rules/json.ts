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
    return { rule: null, problem: problemAt(text, faultIn(text)) };
  }
}

function problemAt(text: string, index: number): string {
  const before = text.slice(0, index).split("\n");
  const position = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  const found = String.fromCodePoint(text.codePointAt(index) ?? 0);
  return index === text.length
    ? `This is not JSON yet: it ends too early, at ${position}.`
    : `This is not JSON yet: look at “${found}” at ${position}.`;
}

const token =
  /[ \t\r\n]*([{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|$)/y;

/** The position at which a text stops being JSON. Some browsers do not report it, and their messages differ. */
function faultIn(text: string): number {
  const open: string[] = [];
  /** The tokens that may come next, by their first characters; `$` for the end. */
  let next = value;
  token.lastIndex = 0;
  for (;;) {
    const start = token.lastIndex;
    const found = token.exec(text)?.[1];
    const index =
      found === undefined ? start + /^[ \t\r\n]*/.exec(text.slice(start))![0].length : token.lastIndex - found.length;
    if (found === undefined || !next.includes(found.charAt(0) || "$")) return index;
    if (found === "") return text.length;
    if (found === "{" || found === "[") open.push(found);
    if (found === "}" || found === "]") open.pop();
    next = after(found, next, open.at(-1));
  }
}

const value = '{["-0123456789tfn';

function after(found: string, allowed: string, group: string | undefined): string {
  if (found === "{") return '"}';
  if (found === "[") return `${value}]`;
  if (found === ":") return value;
  if (found === ",") return group === "{" ? '"' : value;
  // Here the token is a key, or the end of an empty object.
  if (allowed === '"' || allowed === '"}') return found === "}" ? ending(group) : ":";
  return ending(group);
}

function ending(group: string | undefined): string {
  if (group === undefined) return "$";
  return group === "{" ? ",}" : ",]";
}
