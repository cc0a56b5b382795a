/**
 * Finds where the text stops to be JSON: the beginning of the first wrong part, or the end of an incomplete text. Line and column
 * count from 1.
 * The message of `JSON.parse` contains the position of only some errors, and differs between versions of Node and between browsers.
 */
export function positionOfError(text: string): { index: number; line: number; column: number } {
  const index = faultIn(text);
  const before = text.slice(0, index).split("\n");
  return { index, line: before.length, column: before.at(-1)!.length + 1 };
}

const token =
  /[ \t\r\n]*([{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|$)/y;

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
