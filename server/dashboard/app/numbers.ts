/** The number that was typed. What is none stays a text, which the server refuses in its own words. */
export function numberOf(text: string): number | string {
  const number = Number(text);
  // Only spaces would be 0, and JSON has no infinite number: it would send null.
  return text.trim() === "" || !Number.isFinite(number) ? text : number;
}
