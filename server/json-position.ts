/**
 * Finds the line and the column (from 1) of the first token that makes the text invalid JSON, or the end of the text if it
 * is incomplete. The message of `JSON.parse` contains the position of only some errors, and differs between versions of Node.
 */
export function positionOfError(text: string): { line: number; column: number } {
  const tokens = [...text.matchAll(/"(?:\\.|[^"\\\n])*"?|[[\]{}:,]|[^ \t\r\n[\]{}:,"]+/g)];
  // Binary search for the first token with which the text can no longer become JSON.
  let good = 0;
  let bad = tokens.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (canBecomeJson(tokens.slice(0, middle).map(([token]) => token))) good = middle;
    else bad = middle;
  }
  const before = text.slice(0, tokens[good]?.index ?? text.length);
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}

function canBecomeJson(tokens: readonly string[]): boolean {
  let closers = "";
  for (const token of tokens) {
    if (token === "{") closers = `}${closers}`;
    else if (token === "[") closers = `]${closers}`;
    else if (token === "}" || token === "]") closers = closers.slice(1);
  }
  const beginning = tokens.join(" ");
  return ["", "0", ":0", '"":0'].some((missing) => isJson(beginning + missing + closers));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
