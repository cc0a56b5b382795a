/** Returns the number in the text. Another text is returned as it is: the server refuses it with its own message. */
export function numberOf(text: string): number | string {
  const number = Number(text);
  // `Number` reads blank text as 0, and JSON writes an infinite number as null.
  return text.trim() === "" || !Number.isFinite(number) ? text : number;
}
