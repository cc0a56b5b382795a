/** Prints the lines, or with `--json` the value that they describe. */
export function print(json: boolean, lines: readonly string[], value: unknown): void {
  for (const line of json ? [JSON.stringify(value)] : lines) console.log(visible(line));
}

/** Escapes control characters and line breaks as JSON does: a terminal would execute escape sequences in stored text. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
