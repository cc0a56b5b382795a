/** The lines, or with `--json` what they stand for. */
export function print(json: boolean, lines: readonly string[], value: unknown): void {
  for (const line of json ? [JSON.stringify(value)] : lines) console.log(visible(line));
}

/** Control characters and line breaks as JSON escapes them: a terminal would obey what somebody has stored. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
