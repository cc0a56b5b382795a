/** Returns the number in the text. Another text is returned as it is: the server refuses it with its own message. */
export function numberOf(text: string): number | string {
  const number = Number(text);
  // Only spaces would be 0, and JSON has no infinite number: it would send null.
  return text.trim() === "" || !Number.isFinite(number) ? text : number;
}
