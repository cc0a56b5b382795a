/** Texts that a collation, a pattern, an escape, a normalization or a prototype may change or confuse. No two are equal. */

/** Texts that a name may have: text of any kind. */
export const hostileTexts: readonly string[] = [
  // Blanks, invisible characters, and the end of a text in C.
  ["", " ", "\0", "a", "A", "a ", "a  ", " a", "a\t", "a\n", "a\r\n", "a\u00a0", "a\0", "a\0b", "a\u200b", "\ufeffa"],
  // Letters that a collation or a folding takes for others.
  ["ａ", "á", "a\u0301", "à", "é", "e\u0301", "e", "E", "É", "ss", "SS", "ß", "ẞ", "ſs", "k", "K", "\u212a", "i", "I"],
  ["ı", "İ", "ff", "ﬀ", "å", "\u212b", "Ω", "\u2126", "ω", "σ", "ς"],
  // Characters of four bytes, and what a server without them stores in their place.
  ["😀", "😁", "👩‍🚀", "👩🚀", "\u{10ffff}", "\ufffd", "?", "??", "????"],
  // Patterns, quotation marks and escapes.
  ["%", "_", "%%", "a%", "a_", "*", "\\", "\\\\", "\\0", "\\n", "\\u0000", "\\%", "\\'", "'", "''", '"', '\\"', "`"],
  ["$1", "${a}", ":a", "'; DROP TABLE contacts; --"],
  // Other values in the form of a text.
  ["null", "NULL", "undefined", "true", "0", "00", "0.0", "1e1", "10", "{}", "[]"],
  // Members of every object in JavaScript, and characters that change lines or their direction.
  ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "\u2028", "\u202ea"],
].flat();

/** A name for people: not blank. */
export const hostileLabels: readonly string[] = hostileTexts.filter((text) => text.trim() !== "");

/** Not blank, and without control characters. */
export const hostileEventKeys: readonly string[] = hostileLabels.filter((text) => !/\p{Cc}/u.test(text));

/** Neither blank nor surrounded by white space, and without NUL. */
export const hostileExternalIds: readonly string[] = hostileLabels.filter(
  (text) => text.trim() === text && !text.includes("\0"),
);

/** Folded. */
export const hostileEmails: readonly string[] = [
  ["k", "\u212a", "i", "ı", "İ", "é", "e\u0301", "É", "e", "straße", "strasse", "straẞe", "ﬀ", "ff", "σ", "ς"],
  ["a", "a%", "a_", "ab", "a'", "a`", "a?", "$1", "{}", "__proto__", "constructor"],
]
  .flat()
  .map((name) => `${name}@example.com`)
  .concat("a@straße.example", "a@strasse.example", "a@example");
